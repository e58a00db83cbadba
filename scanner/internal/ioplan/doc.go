// Package ioplan prices requests to a source: what is worth one request, what is worth
// a guess, and how much must be on its way for the source never to idle.
//
//	request     |   latency   |== bytes / bandwidth ==|
//	wanted      [a]..[b].................[c]
//	read        [a  gap  b]              [c]     the gap costs less than a request
//
// A Meter counts the requests of an open file, and learns from them. Pace is what it knows, and
// After the one function that decides how many may be in flight. Merged is a source that reads
// neighbouring ranges as one where that costs less.
//
// What never comes here: row groups, columns, which bytes are wanted.
package ioplan
