// Package verify has the command that holds all that a file says of itself against its values.
//
//	file            footer and row groups               (verifier)
//	column          one column of a row group           (verification)
//	  layout        its pages, sizes, places            against the footer and the offset index
//	  slots         its levels and values, by a cursor  without any index
//	  compare       what was counted                    against all that is stated
//
// What is wrong is a defect: a fault may cost rows or answers, a flaw costs none. Metadata and
// bodies are decoded twice, by the reader and by libraries; where they differ, the reader is wrong.
//
// What never comes here: repairs.
package verify
