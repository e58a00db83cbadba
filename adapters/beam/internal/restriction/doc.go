// Package restriction divides the rows of a Parquet file among the workers of a Beam pipeline.
//
// A row's Position is a pair of numbers: the middle byte of its row group, and its ordinal
// within the row group. A Restriction is the rows between two positions, and is cut wherever
// a position is, in any order and by any worker:
//
//	bytes      0 ────────── middle of 0 ────────── middle of 1 ────────── size
//	positions  (0,0)        (m0,0)…(m0,n0-1)       (m1,0)…(m1,n1-1)       (size,0)
//	splits     [   a                )[            b       )[       c          )
//
// A cut between row groups is one of bytes, (b,0), and needs no footer: the side that holds
// the middle of a row group has all of its rows, as with scanner.Options.Split. A cut within a
// row group is at (m,r), a row of it. So restrictions that cover the file have each row once,
// whatever made them.
//
// Tracker implements Beam's sdf.RTracker. Once Bind has told it the row groups, it cuts
// where that costs little: between row groups, and where a page of the largest column starts. That
// is, it takes the pages of a row group to have as many rows each, which the footer alone tells.
//
// What never comes here: Beam's packages, reading of pages, listing of files.
package restriction
