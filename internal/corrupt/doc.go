// Package corrupt is the error for bytes that break the format.
//
// Every decoder below scanner reports a fault as an *Error: what is wrong, and
// at which byte of the bytes that it was given. Each layer above adds the one
// coordinate that only it knows, once: Within names the part and moves the
// offset, and scanner.Error adds page, column, row group and file.
//
//	encoding   {Offset: 17, What: "run of length 0"}
//	page       {In: "definition levels", Offset: 17, What: …}
//	scanner    f.parquet: row group 0, column "a.b", page 3, offset 4711: definition levels, byte 17: run of length 0
//
// What never comes here: faults of the caller, faults of the machine (I/O,
// cancellation), formatting with package fmt.
package corrupt
