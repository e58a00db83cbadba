// Package s3scan reads Parquet files in S3 and in stores that speak its protocol.
//
//	client, err := s3scan.NewClient(ctx, s3scan.Options{})
//	files, err := client.Files(ctx, scanner.OpenOptions{}, "s3://bucket/sales/*/*.parquet")
//	for batch, err := range files.Scan(ctx, scanner.Options{Filter: filter.Col("year").Eq(2024)}) {
//		…
//	}
//
// List finds the objects that a pattern names, with their sizes and ETags; Open and OpenObject
// give one as a fetch.Source. Requests are made by AWS's SDK, which finds credentials and
// endpoints as all its programs do. Ranges become requests as in package web, which repeats them,
// too, when a store throttles or a connection breaks:
//
//	scan ── ranges ──▶ web: joins, several at once, retries ── GET ──▶ this package: signs ──▶ S3
//
// An object has the ETag of its listing or of its first response for as long as it is open.
// If it is replaced, reads fail with fetch.ErrChanged.
//
// What never comes here: writing, caches, what a store costs.
package s3scan
