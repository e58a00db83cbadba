// Package tools pins the programs that build and judge the project, in a
// module of its own so that their dependencies stay out of the engine's.
//
//	go -C internal/tools tool staticcheck -version
//	go -C internal/tools tool benchstat old.txt new.txt
//	go -C internal/tools build -o DIR tool       all of them, into DIR
//
// Avo, which makes assembly, is a library: programs that use it will stand in
// folders beside this file, one per package that they write for.
//
// What never comes here: anything that runs as part of a scan or a test.
package tools

import _ "github.com/mmcloughlin/avo/build" // keeps the version in go.mod
