// Package lint holds the house rules that a program can check, as tests over
// the source tree: who may import whom, how files are named, sized and
// commented, and which places must know each encoding, codec, logical type and
// predicate ("git grep '//every:encoding'" shows them). Documents are held to
// theirs: width of lines, links, names. What comments name must exist as well.
//
// The order of the rooms is text in order.go that reads like the drawing in
// docs/architecture.md. A rule reads the tree through fs.FS, so that its own
// test can show it a bad tree and see it fail.
//
// What never comes here: what gofmt, go vet or staticcheck know already, rules
// about how code looks, anything that runs a program.
package lint
