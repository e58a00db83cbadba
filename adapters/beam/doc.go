// Package winnowio reads Parquet files in pipelines of Apache Beam's Go SDK.
//
//	type order struct {
//		Region string
//		Price  float64
//	}
//
//	func init() { beam.RegisterType(reflect.TypeFor[order]()) }
//
//	orders := winnowio.Read[order](s, "orders/**/*.parquet", winnowio.Options{
//		Filter: filter.Col("price").Gt(100),
//	})
//
// The filter, and which columns the elements need, go down to the scan. So of pages, row groups
// and files that cannot have a row that passes, nothing is read.
//
// # Work in parallel
//
// Read is a splittable DoFn. Files are listed by one worker; each file is an element, and the
// bytes of its row groups become restrictions of about Options.SplitBytes. While a worker reads
// one, the runner may take away a part that is not emitted yet: row groups, or rows of one, from about
// the start of a page on, where the file has an offset index. Each row is emitted once, whatever is
// split; a file that is replaced meanwhile is an error. Progress is in bytes of the columns
// that are read, of rows that may pass. When a pipeline is drained, files that are begun are read
// to their end: restrictions are bounded.
//
// # Files
//
// Names without a scheme are local files, which each worker must have. Names with http and https
// are read by package scanner/fetch/web; those with s3 and hdfs by packages s3 and hdfs in this
// folder, if the program imports them. Register adds schemes, with any fetch.Source. All other
// schemes are those of Beam's filesystems, if the program imports them; they cannot read ranges,
// so a worker copies the whole file, once for each restriction.
//
// Folders named like year=2024 are columns, as in package scanner/dataset, of the type that the
// file's own path suggests. Files that the filter excludes by them are not opened for reading.
//
// # Metrics
//
// The counters of the scans are Beam's counters in the namespace winnowio: rows, requests,
// requested_bytes, pages and bytes by what became of them, and splits. They grow when a restriction
// ends. Rows that a scan had returned before they were split off may count twice.
//
// What never comes here: decoding, writing of Parquet, stores of one vendor.
package winnowio
