// Package scannertest has what the tests of package scanner and of the rooms around it share.
//
// What never comes here: package scanner, whose own tests import this.
package scannertest
