// Package alter makes files that lie: it changes one field of what a file says of itself,
// in its footer, its indexes or the headers of its pages, and leaves the values alone.
//
//	lie, how := alter.Field(rng, file) // how: "footer: RowGroups[1].NumRows is 41, was 40"
//
// What never comes here: changes of bytes that are no field (internal/test/hostile has these),
// and what readers make of a lie.
package alter
