//go:build race

package codec

const raceOn = true
