// Package serve has the command that shows the files of a folder in a browser: a page of rows
// with its plan and its page map, at an address that can be kept.
//
// The page is page.html, page.css and page.js of this folder. It works without its program, which
// shows a run while it goes on.
//
// What never comes here: requests from other machines, writing.
package serve
