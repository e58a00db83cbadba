// Package writer knows the programs that wrote wrong metadata into Parquet files,
// and what of a file must not be believed for that reason. A footer names its
// writer in created_by:
//
//	parquet-mr version 1.8.0-SNAPSHOT (build 4aba4dae)
//	└ name           └ version
//
// A row of the table is a defect: the writer's name, the first version that has
// the defect and the first that has it no more, the facts that are wrong, the
// traits of the columns that are concerned, and where the defect is described.
//
//	name               from    fixed    facts               traits                 source
//	parquet-cpp-arrow          6.0.0    null counts         BYTE_ARRAY, dictionary ARROW-12513
//	parquet-cpp-arrow  6.0.0   11.0.0   bounds, null counts BYTE_ARRAY, dictionary apache/arrow#15042
//	parquet-rs                 5.2.0    bounds              bytes                  apache/arrow-rs#641
//	impala                              order of levels     any                    IMPALA-6077
//
// A row holds for a file if the names are equal, whatever the case of their letters,
// and the version is one of the row's. It holds for a column that has all traits of
// the row. A version with a suffix, like 6.0.0-SNAPSHOT, comes before the one without.
// A version that is missing or cannot be read counts as 0: writers that tell their
// version today did not always do so.
//
// From returns the rows for a file, Doubts the facts that they put in doubt:
//
//	pageindex   Bounds, NullCounts   no verdict, no Min, Max and Top rests on them
//	column      LevelOrder           BIT_PACKED levels are read from the lowest bit on
//	scanner     ChunkSizes           a chunk may be longer by the header of a page
//
// # What needs no row
//
//   - Bounds of binary columns in the fields min and max (PARQUET-251 and PARQUET-686;
//     parquet-mr before 1.10, parquet-cpp before 1.3): pageindex uses those fields for
//     signed numbers only. The row of PARQUET-251 is for tools that moved such bounds
//     to min_value and max_value.
//   - Null counts below lists that are too low (PARQUET-2067, and apache/arrow#51097 in
//     all versions so far): pageindex takes no count as proof that nothing below a list
//     is NULL, and a count that is too low is never equal to the number of slots.
//   - A null count of 0 that was not written (apache/arrow-rs#306, parquet-rs before
//     53.1): a count that is absent is unknown.
//   - Signed values of one length in unsigned order, or unsigned ones in signed order
//     (apache/arrow-rs#1532, ClickHouse/ClickHouse#83754): such bounds are right, or the
//     lower is above the upper, which pageindex sees.
//   - NaN as a bound (IMPALA-6527), a page of nulls that counts none
//     (apache/parquet-java#3457), a null count that leaves no value for the bounds
//     beside it (pola-rs/polars#29321): pageindex sees that.
//   - v2 pages that are compressed and say that they are not (ARROW-10353): page sees that.
//
// What never comes here: anything that can be seen in the metadata themselves.
package writer
