// Package codectest has the pages that codecs are tested and measured with, and
// what writers of random bodies share.
//
// What never comes here: codecs.
package codectest
