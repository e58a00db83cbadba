// Package prismtest runs pipelines of tests on Prism, Beam's embedded runner.
//
// What never comes here: pipelines, what their rows should be.
package prismtest
