// Package browser holds the pages that scan writes to a real browser: the page map of
// explain --picture is loaded by Chromium, and used by mouse and keyboard.
//
// Its tests run where WINNOW_BROWSER names the program of a browser, as the step browser
// of .ci/run does. It is a module of its own, so that what drives the browser stays out of
// the engine's dependencies.
//
// What never comes here: anything but tests.
package browser
