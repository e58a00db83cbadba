// Package s3 lets pipelines that use winnowio read objects of S3, and of stores that speak its
// protocol:
//
//	import _ "github.com/winnow-scan/winnow/adapters/beam/s3"
//
// Names and patterns like s3://bucket/orders/*.parquet are then read by package s3scan
// (adapters/s3), in the ranges that a scan needs. Each worker is a process of its own, and finds
// region and credentials as AWS's programs do.
//
// What never comes here: how objects are read. A pipeline writes to S3 by Beam's own filesystem.
package s3
