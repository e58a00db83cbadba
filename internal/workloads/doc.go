// Package workloads reads lists of scans with the answers that must come of them, and sums up
// what came. cmd/bench times them, and tests of the adapters run them.
//
// What never comes here: scans and their times.
package workloads
