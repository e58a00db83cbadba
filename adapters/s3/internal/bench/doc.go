// Command bench is what compare.py measures with: a proxy in front of a store, which delays requests.
//
//	bench -to http://localhost:7070 -latency 30ms
//
// It prints its URL, and answers each line of standard input with the requests since the last one, as JSON.
//
// What never comes here: what is measured, and what it is compared with. The script has that.
package main
