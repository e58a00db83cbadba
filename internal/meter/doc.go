// Package meter measures what requests of a source take, for the source's Traits: the time to the
// first byte and the bandwidth of one stream. Sources of this module and of adapters use it.
//
// What never comes here: clocks, requests, what a scan makes of the numbers.
package meter
