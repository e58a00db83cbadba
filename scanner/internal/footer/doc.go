// Package footer finds the metadata at the end of a file.
//
//	... pages, indexes ... | FileMetaData | 4a 01 00 00 | P A R 1
//	                       ^ start          length        PARE if the footer is encrypted
//
// What never comes here: what the metadata of column chunks mean, decryption.
package footer
