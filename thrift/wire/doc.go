// Package wire has the structs, enums and unions of Parquet's metadata, as the
// Apache Thrift compiler makes them from ../parquet.thrift.
//
// It is the source of truth for field ids and values, the oracle of the lean
// readers in package thrift, and the way in which tests and generators write
// metadata. Scans read with package thrift, which has enumerations of its own.
//
//	encode  apache/thrift's TCompactProtocol over a TMemoryBuffer
//	decode  thrift.Decode
//
// Unknown fields, arms of unions and enum values are kept out or kept as they
// are, never refused: a union with an unknown arm reads as one without arms.
// (Writing such a union back is refused.)
//
// What never comes here: code by hand, other than this comment.
package wire

//go:generate sh ../generate.sh
