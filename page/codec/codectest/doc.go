// Package codectest has the pages that codecs are tested and measured with.
//
// What never comes here: codecs.
package codectest
