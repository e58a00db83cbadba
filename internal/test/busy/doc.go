// Package busy has a server that has too much to do: it serves few requests at once, or refuses what is too
// much for it. Tests of sources scan a file behind it, and count requests and bytes. They look at no clock: what
// the best fixed setting would need is computed.
//
// What never comes here: stores in virtual time, see scanner/internal/scannertest.
package busy
