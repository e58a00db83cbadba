// Command bench is what .ci/peers/s3.py measures with: a proxy in front of a store, or scans.
//
//	bench proxy -to http://localhost:7070 -latency 30ms
//	bench scan -endpoint http://localhost:7071
//
// Both read commands from standard input, and answer each with a line of JSON.
//
// What never comes here: what is measured, and what it is compared with. The script has that.
package main
