// Package bench measures scans that skip: how long they take, what they read,
// and whether their answers are right. cmd/bench is its program.
//
//	bench --html page.html --peers
//	bench lineitem.parquet --select l_orderkey,l_comment --where "l_partkey <= 2000"
//	bench --workloads workloads.json --only q6,multi_order --threads 1,2
//	bench --workloads workloads.json --only q6 --force all
//	bench sweep --seed 1 --peers --only brotli
//
// The first makes a file, and asks what scans cost beside full scans of the same
// columns, by the share of rows that pass, the layout of the column that is
// filtered, and the number of columns (skip.go, plot.go). The second asks the same
// for a file of yours, warm and cold (cold_linux.go). The third times workloads, the
// fourth those beside scans that are forced to work in some way (force.go).
// All run each engine once, and then in turns (measure.go, turns.go).
//
// A sweep looks for kinds of files and scans that are slow. It draws cells by a seed: a file with one
// type, encoding, codec and layout, and a scan of it. Their names say all of that, as in
// date/plain/zstd/null5/page1000/group20000/range1/own/clustered (sweep_cells.go, sweep_file.go). It
// compares a cell with its neighbours, which differ in one dimension, with other engines, with a scan of
// the same columns without the condition, and with its floor (sweep.go).
//
// Timed are opening the file, its footer and indexes, and the scan until each
// wanted column of each row that passes is in memory, decoded; a count is done
// when its number is known. Batches are held until the clock stands, then
// looked at, then released. Nothing that comes from a file outlives a run, but
// memory for batches does. Not timed: one run before the others, the garbage
// collection in front of each run, and the check after it.
//
// A full scan has the columns that are returned and those of the condition. Before
// each cold run, the system forgets what it holds of the file in memory; caches of
// the disk, and of a machine below a virtual one, it does not know. Parts of a full
// scan's time are those of the least times: of the processor for one thread that
// finds the file in memory, else of the clock.
//
// A workload is an entry of a list in JSON:
//
//	{"workloads": [{
//	  "name": "q", "file": "f.parquet",
//	  "project": ["id", "items.price"],            without it, all columns; [] counts rows
//	  "where": {"and": [{"op": "ge", "col": "day", "value": "2024-01-31", "type": "date"},
//	                    {"op": "prefix", "col": "url", "value": "https:"}]},
//	  "rows": 12, "sums": {"id": [12, 78.0], "items.price": [30, 1234.5]}
//	}]}
//
// Where may also be a text, as --where has it. The sum of a column is that of
// all leaf values below it that are not NULL, after their number: days,
// microseconds, 0 and 1, decimals without their scale, and the bytes of strings. An answer
// of other rows or other sums is an error, as is one that differs from run to run.
//
// With --json there is a line for each workload, number of threads and engine:
//
//	{"engine":"scan","workload":"q","threads":1,"wall_ms":[..],"cpu_ms":[..],"peak_rss_mb":..,"rss_base_mb":..,"ok":true,"error":"","rows":12,..}
//
// Engines that Python can import, and any program that speaks the protocol of peers.py, scan in
// processes of their own (peers.go). Their types of values in a condition are "date", "timestamp",
// "uuid", and "hex" for bytes.
//
// What never comes here: other readers than winnow in this process, and tests of single decoders
// (internal/test/bench/peers/decoders).
package bench
