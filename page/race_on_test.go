//go:build race

package page

const raceOn = true
