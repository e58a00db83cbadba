// Package hdfs lets pipelines that use winnowio read files in HDFS:
//
//	import _ "github.com/winnow-scan/winnow/adapters/beam/hdfs"
//
// Names and patterns like hdfs://namenode:8020/orders/*.parquet are then read by package
// hdfsscan (adapters/hdfs). Each worker is a process of its own, and finds Hadoop's configuration
// in $HADOOP_CONF_DIR.
//
// What never comes here: how files are read, and a promise that they are read where they lie.
package hdfs
