package icebergscan

// Operations are the operations of Iceberg that conditions of the scan are made of.
var Operations = operations
