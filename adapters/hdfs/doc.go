// Package hdfsscan reads files of HDFS as sources of winnow, with github.com/colinmarc/hdfs.
//
//	options, err := hdfsscan.FromConf("namenode:8020")
//	cluster := hdfsscan.NewCluster(options)
//	defer cluster.Close()
//	src, err := cluster.Open(ctx, "/warehouse/orders/part-0.parquet")
//	file, err := scanner.OpenSource(ctx, src.Name(), src)
//	file.OnClose(src.Close)
//
// # Connections
//
// A Cluster has one connection to a namenode, which serves listings and the state of files. A
// File has up to Options.Readers readers, each with a stream from a datanode, and each used by one
// goroutine at a time. A reader has a connection to the namenode while it is opened:
//
//	Cluster ── namenode      list, state of a file
//	  File
//	    reader ── namenode   state, blocks, state again; then this connection is closed
//	           ── datanode   bytes, from any offset to the end of a block
//
// The first two states must be that of the opened file, so all bytes of a File are of one state.
// A read that fails for a reason that may pass is continued by a new reader, which asks anew where
// the blocks are. When a context ends, the connections of the reader that works for it are closed,
// so nothing outlives the call.
//
// # Splits
//
// File.Splits cuts a file into ranges of bytes for several processes. Each scans the row groups
// whose middle lies in its range (scanner.Options.Split), so each row is read once, wherever the
// borders of blocks are. File.AddHosts adds the hosts that have the bytes, as WebHDFS tells them.
//
// What never comes here: writing, what the bytes mean, caches, a promise that reads are local.
package hdfsscan
