//go:build !race

package page

const raceOn = false
