package lint

import "strings"

// order is the drawing of the rooms. "a < b" means that b may import a, and no
// more than that: it does not pass on what a imports. "x/*" is all below x.
// A package that stands nowhere in it fails, until someone has thought about
// where it belongs.
//
// Adapters are what hosts are: they import what is promised, and each other. Two of them are programs,
// adapters/scan and adapters/python, and may use internal/cli and what it is made of.
//
// scanner has encoding for the spare bytes behind buffers, encoding/bits for
// strings that it converts, and page to say what a chunk's pages are and for
// page.Open, which each module of a file passes: it walks over no pages.
//
// The commands of internal/cli/answer ask as a host does, so they have what is promised, and no
// room of the format.
const order = `
	every room may import: internal/closest internal/corrupt internal/invariants

	encoding/bits < encoding encoding/* column/vector column/vector/build column/pred column/assemble filter/*
	encoding < encoding/* column/vector/build column/pred
	encoding/pack < encoding/* column/vector column/vector/build column/values
	encoding/variant < column/vector filter/compile
	encoding/bitpack < encoding/rle encoding/delta encoding/alp

	github.com/apache/thrift/* < thrift/wire thrift
	thrift/wire < thrift
	thrift < column/schema

	page/codec/codectest: imports nothing
	github.com/klauspost/compress/* github.com/golang/snappy golang.org/x/sys/* < page/codec/snappy
	github.com/klauspost/compress/* github.com/cespare/xxhash/* golang.org/x/sys/* < page/codec/zstd
	github.com/klauspost/compress/* < page/codec/inflate
	github.com/pierrec/lz4/* < page/codec/lz4
	page/codec/moves < page/codec/brotli page/codec/inflate page/codec/lz4 page/codec/snappy page/codec/zstd
	CODECS page/codec/brotli page/codec/inflate page/codec/lz4 page/codec/snappy page/codec/zstd thrift < page/codec
	thrift page/codec < page

	column/writer: imports nothing
	column/vector < column/vector/build < column/assemble column/values filter/* filter scanner/internal/detach scanner/internal/forms scanner/internal/project scanner/internal/rank
	column/vector < column/schema column/pred
	github.com/cespare/xxhash/* column/vector < filter/bloom
	column/vector column/vector/build column/pred < filter/internal/value
	column/vector column/vector/build filter/bloom filter/internal/value < filter/internal/keys
	column/vector column/vector/build encoding/bits filter/internal/value < filter/internal/function
	column/vector column/vector/build encoding/bits filter/internal/value < filter/internal/calculate
	column/vector filter/internal/function filter/internal/value filter/internal/keys < filter/internal/tree
	column/vector column/schema filter/internal/* < filter
	column/assemble column/vector column/pred column/schema filter filter/internal/* < filter/compile

	thrift column/schema column/vector column/pred column/writer filter/compile filter/bloom < pageindex
	column/schema column/vector < column/assemble
	page encoding encoding/* thrift column/vector column/pred < column/values
	page encoding encoding/* thrift column/* < column

	scanner/fetch scanner/fetch/cache scanner/fetch/web: with os and net
	internal/lookahead: imports nothing
	scanner/fetch < scanner/fetch/cache scanner/fetch/web
	column/assemble column/schema column/vector encoding/bits filter filter/compile < scanner/internal/project
	column/schema column/vector encoding/bits scanner/internal/project < scanner/internal/gostruct
	column/pred column/vector encoding encoding/bits page/codec scanner/fetch thrift < scanner/internal/detach
	scanner/internal/budget: imports nothing
	column column/vector < scanner/internal/idle
	scanner/fetch < scanner/internal/ioplan scanner/internal/slots
	scanner/internal/ioplan < scanner/fetch/cache
	column encoding encoding/bits column/schema column/vector page pageindex thrift scanner/fetch scanner/internal/budget scanner/internal/detach scanner/internal/ioplan scanner/internal/slots < scanner/internal/feed
	column/vector scanner/internal/budget < scanner/internal/reorder
	column column/vector encoding/bits < scanner/internal/window
	column column/pred column/schema column/vector encoding/bits filter filter/compile pageindex thrift scanner/internal/window < scanner/internal/rowfilter
	column/vector filter internal/test/gen internal/test/validate scanner/fetch < scanner/internal/scannertest
	column/schema column/vector < scanner/internal/stored
	column/schema scanner/fetch scanner/fetch/cache scanner/internal/stored thrift < scanner/internal/footer
	page scanner/internal/detach thrift < scanner/internal/decrypt
	column/vector encoding encoding/bits < scanner/internal/forms
	column/vector encoding/bits filter pageindex scanner/internal/forms < scanner/internal/rank
	column/schema column/vector filter/compile pageindex < scanner/internal/estimate
	column < internal/knobs
	internal/knobs < scanner scanner/internal/rowfilter cmd/* internal/*
	column column/schema column/vector column/vector/build encoding/bits filter internal/test/gen page/codec scanner scanner/fetch thrift golang.org/x/sys/* < internal/test/bench
	column column/* encoding encoding/bits filter filter/bloom filter/compile page page/codec pageindex scanner/fetch scanner/fetch/cache scanner/internal/* thrift < scanner
	column/* filter filter/compile pageindex scanner scanner/fetch scanner/fetch/cache scanner/internal/* thrift < scanner/dataset
	internal/lookahead < scanner/dataset internal/cli/input internal/cli/verify

	cmd/* internal/*: with os and net
	column/vector encoding/bits golang.org/x/sys/* < internal/cli/table
	column/vector internal/cli/table < internal/cli/picture
	column/vector encoding/bits < internal/cli/summary
	column/schema column/pred column/vector column/vector/build encoding/bits filter/compile pageindex github.com/klauspost/compress/* < internal/cli/advice
	thrift < internal/cli/wirename
	thrift internal/cli/table internal/cli/wirename < internal/cli/annotate
	scanner/fetch < internal/cli/stream
	scanner internal/cli/stream internal/cli/table < internal/cli/fault
	column/schema column/vector internal/cli/fault < internal/cli/selection
	scanner scanner/fetch internal/cli/table < internal/cli/progress
	column/vector column/writer filter scanner scanner/dataset scanner/fetch scanner/fetch/* internal/cli/fault internal/cli/selection internal/cli/stream < internal/cli/input
	column/vector golang.org/x/sys/* internal/cli/fault internal/cli/progress internal/cli/stream internal/cli/table < internal/cli/output
	column/schema filter filter/compile scanner SHARED < internal/cli/command
	column/schema scanner SHARED < internal/cli/guide
	page pageindex scanner scanner/fetch thrift SHARED < internal/cli/chunks
	PROMISED SHARED internal/cli/summary < internal/cli/answer
	column/schema column/vector column/writer filter filter/bloom filter/compile page page/codec pageindex scanner scanner/fetch thrift SHARED internal/cli/annotate internal/cli/chunks internal/cli/wirename < internal/cli/inspect
	column/pred column/schema column/vector filter filter/compile page page/codec pageindex scanner thrift SHARED internal/cli/advice internal/cli/chunks internal/cli/picture < internal/cli/explain
	column column/schema column/vector column/vector/build column/writer encoding encoding/bits filter/bloom page page/codec pageindex scanner scanner/fetch thrift SHARED internal/cli/advice internal/cli/chunks internal/cli/wirename < internal/cli/verify
	PROMISED SHARED internal/cli/explain internal/cli/picture < internal/cli/serve
	SHARED internal/cli/answer internal/cli/explain internal/cli/guide internal/cli/inspect internal/cli/serve internal/cli/stream internal/cli/verify < internal/cli
	column column/* encoding encoding/* filter filter/bloom filter/compile page page/codec pageindex scanner scanner/* thrift internal/cli < cmd/*
	internal/test/bench < cmd/bench

	PROMISED adapters/* < adapters/*
	internal/cli internal/cli/* column/vector/build encoding/bits < adapters/scan
	internal/cli/* filter/compile pageindex internal/rawmeta < adapters/python

	golang.org/x/sys/* < cmd/*
	thrift/wire internal/test/gen/encode CODECS github.com/apache/thrift/* github.com/cespare/xxhash/* < internal/test/gen
	internal/test/gen internal/test/gen/encode thrift/wire < internal/test/gen/mk
	thrift/wire github.com/apache/thrift/* < internal/test/gen/alter
	internal/test/naive: imports nothing
	internal/test/gen/encode: imports nothing
	internal/test/dtest: imports nothing
	internal/test/lint: imports nothing
	internal/test/hostile: imports nothing
	column/vector encoding/bits < internal/test/validate
	internal/test/oracle: imports nothing
	page scanner scanner/fetch thrift < internal/rawmeta < internal/cli/chunks internal/cli/explain internal/cli/inspect internal/cli/verify
	scanner/fetch < internal/test/record
	filter scanner < internal/test/oracle/passing
	filter internal/test/dtest internal/test/gen scanner < internal/test/busy
`

// never is what a wider order must not bring back. "a → b": not by an import
// of its own; "a ⇒ b": not through others either.
const never = `
	page ⇒ encoding/*
	encoding/* ⇒ page
	column column/values ⇒ filter filter/compile
	filter filter/compile → thrift
	column column/* page page/* pageindex filter filter/* scanner scanner/* internal/cli internal/cli/* internal/rawmeta cmd/* → thrift/wire
	pageindex ⇒ column page
	pageindex → encoding encoding/*
	encoding/bits ⇒ encoding thrift page column filter
`

// words stand for lists in the drawing.
func words(w string) []string {
	switch w {
	case "PROMISED":
		return frozen()
	case "CODECS":
		return []string{
			"github.com/klauspost/compress/*", "github.com/golang/snappy",
			"github.com/pierrec/lz4/*", "github.com/andybalholm/brotli",
		}
	case "SHARED": // what all commands of internal/cli are made of
		return []string{
			"internal/cli/command", "internal/cli/fault", "internal/cli/input", "internal/cli/output",
			"internal/cli/progress", "internal/cli/selection", "internal/cli/table",
		}
	}
	return []string{w}
}

// requirements are the modules that the engine's go.mod may name, the last one
// for tests. What is heavier has a module of its own.
func requirements() []string {
	return []string{
		"github.com/apache/thrift", "github.com/klauspost/compress", "github.com/golang/snappy",
		"github.com/pierrec/lz4/v4", "github.com/andybalholm/brotli", "github.com/cespare/xxhash/v2",
		"golang.org/x/sys", "github.com/rogpeppe/go-internal",
	}
}

// An edge lets each package of to import each of from.
type edge struct{ from, to []string }

type drawing struct {
	edges  []edge
	anyone []string // may be imported by all
	withOS []string // may use os, io/fs and net
	known  []string
}

func parseOrder(text string) drawing {
	var d drawing
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if who, ok := strings.CutPrefix(line, "every room may import:"); ok {
			d.anyone = list(who)
			d.known = append(d.known, d.anyone...)
			continue
		}
		if who, ok := strings.CutSuffix(line, ": with os and net"); ok {
			d.withOS = append(d.withOS, list(who)...)
			continue
		}
		if who, ok := strings.CutSuffix(line, ": imports nothing"); ok {
			d.known = append(d.known, list(who)...)
			continue
		}
		sides := strings.Split(line, "<")
		for i := 1; i < len(sides); i++ {
			d.edges = append(d.edges, edge{list(sides[i-1]), list(sides[i])})
			d.known = append(append(d.known, list(sides[i-1])...), list(sides[i])...)
		}
	}
	return d
}

type prohibition struct {
	who, what []string
	deep      bool
}

func parseNever(text string) []prohibition {
	var all []prohibition
	for line := range strings.Lines(text) {
		if who, what, ok := strings.Cut(line, "→"); ok {
			all = append(all, prohibition{list(who), list(what), false})
		} else if who, what, ok := strings.Cut(line, "⇒"); ok {
			all = append(all, prohibition{list(who), list(what), true})
		}
	}
	return all
}

func list(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		out = append(out, words(w)...)
	}
	return out
}

// matches says whether one of the patterns is the path, or its "x/*" lies above it.
func matches(patterns []string, p string) bool {
	for _, pattern := range patterns {
		above, below := strings.CutSuffix(pattern, "*")
		if pattern == p || below && strings.HasPrefix(p, above) {
			return true
		}
	}
	return false
}
