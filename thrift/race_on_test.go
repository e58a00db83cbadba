//go:build race

package thrift

const raceDetector = true
