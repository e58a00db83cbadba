//go:build !race

package thrift

const raceDetector = false
