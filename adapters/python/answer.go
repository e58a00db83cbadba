package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// question is what winnow_ask is asked, as winnow.h says.
type question struct {
	Ask         string
	Column      string
	Files, Maps int64
}

// members are those of a JSON object.
type members map[string]any

// answer returns the answer to a question in JSON, which becomes JSON.
func (s *scan) answer(ctx context.Context, text string) (any, error) {
	var q question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		return nil, optionsError("question: " + err.Error())
	}
	switch q.Ask {
	case "count":
		return s.files.Count(ctx, s.options)
	case "min", "max":
		extreme := s.files.Min
		if q.Ask == "max" {
			extreme = s.files.Max
		}
		v, err := extreme(ctx, q.Column, s.options)
		return valueOf(v), err
	case "columns":
		names := []string{}
		schema, err := s.schema(ctx)
		for i := 0; err == nil && i < schema.NumFields(); i++ {
			names = append(names, schema.Field(i).Name)
		}
		return names, err
	case "files":
		return s.listed(ctx)
	case "explain":
		return s.explain(ctx, q.Files, q.Maps)
	case "rows":
		return s.texts(ctx)
	case "stats":
		return s.counters(), nil
	case "progress":
		p := &s.progress
		return []int64{int64(len(s.files.Names())), p.filesBegun.Load(), p.filesDone.Load(), p.rowGroups.Load(), p.rows.Load(), p.bytes.Load()}, nil
	case "goroutines":
		return runtime.NumGoroutine(), nil
	}
	return nil, optionsError(fmt.Sprintf("question: ask is %q", q.Ask))
}

// value is a scalar in JSON. Which field of Type matters depends on Kind.
type value struct {
	Kind  string `json:"kind"` // null, bool, int, float, decimal, str, bytes, date, time, timestamp, uuid
	Value string `json:"value"`
	Bytes []byte `json:"bytes,omitempty"` // in base64
	Unit  int64  `json:"unit,omitempty"`  // of a time or timestamp: how many are a second
	UTC   bool   `json:"utc,omitempty"`
}

// logicalKinds and physicalKinds are the kinds of values by their types. The first that is named counts; the rest
// are bytes.
var (
	logicalKinds = map[vector.Logical]string{
		vector.Decimal: "decimal", vector.Date: "date", vector.Time: "time", vector.Timestamp: "timestamp", vector.UUID: "uuid",
		vector.Float16: "float", vector.String: "str", vector.Enum: "str", vector.JSON: "str",
	}
	physicalKinds = map[vector.Physical]string{
		vector.Boolean: "bool", vector.Int32: "int", vector.Int64: "int", vector.Float: "float", vector.Double: "float", vector.Int96: "int96",
	}
)

// valueOf returns a scalar for JSON.
func valueOf(s vector.Scalar) value {
	t := s.Type()
	if s.IsNull() {
		return value{Kind: "null"}
	}
	v := value{Kind: cmp.Or(logicalKinds[t.Logical], physicalKinds[t.Physical], "bytes"), Value: s.String()}
	if t.IsLongMoment() {
		v.Kind = "int96"
	}
	switch v.Kind {
	case "date", "time", "timestamp":
		n, _ := s.Int64()
		v.Value = strconv.FormatInt(n, 10)
		if v.Kind != "date" {
			v.Unit = t.Unit.PerSecond()
		}
		v.UTC = v.Kind == "timestamp" && t.UTC
	case "float":
		f, _ := s.Float64()
		v.Value = strconv.FormatFloat(f, 'g', -1, 64)
	case "str":
		b, _ := s.Bytes()
		v.Value = string(b)
	case "int96":
		days, nanos := t.SplitMoment(s.Plain())
		n := big.NewInt(days)
		n.Add(n.Mul(n, big.NewInt(86400e9)), big.NewInt(nanos))
		v.Kind, v.UTC, v.Value, v.Unit = "timestamp", t.UTC, n.String(), 1e9 // which may exceed 64 bits
	case "bytes":
		v.Bytes, _ = s.Bytes()
		v.Value = ""
	}
	return v
}

// listed returns the files that the condition does not exclude by the columns of their path. Their index counts all files.
func (s *scan) listed(ctx context.Context) ([]members, error) {
	found := []members{}
	for i, name := range s.files.Names() {
		o := scanner.Options{Filter: s.options.Filter, Constants: s.files.Constants(i)}
		excluded, err := o.ExcludesFile()
		if err != nil {
			return nil, &scanner.Error{File: name, RowGroup: -1, Page: -1, Offset: -1, Err: err}
		}
		if excluded {
			continue
		}
		size, err := s.far.size(ctx, name)
		if err != nil {
			return nil, err
		}
		found = append(found, members{"index": i, "name": name, "size": size})
	}
	return found, nil
}

// plan is what metadata prove about a scan of files.
type plan struct {
	Where   string     `json:"where,omitempty"`
	Columns []string   `json:"columns,omitempty"`
	Files   []filePlan `json:"files"`
	Left    int        `json:"files_left_out"` // beyond the wanted number; not those that partitions exclude
}

type filePlan struct {
	File   string      `json:"file"`
	Rows   int64       `json:"rows"`
	Groups []groupPlan `json:"row_groups"`
	Map    string      `json:"page_map,omitempty"` // SVG
}

type groupPlan struct {
	RowGroup   int       `json:"row_group"`
	Rows       int64     `json:"rows"`
	MayPass    int64     `json:"may_pass"`
	Statistics int64     `json:"by_statistics"`
	PageIndex  int64     `json:"by_page_index"`
	Bloom      int64     `json:"by_bloom_filter"`
	Tests      []members `json:"tests,omitempty"` // and of how many rows the outcome is known
}

// explain plans a scan of at most so many files, and draws the pages of the first maps of them.
func (s *scan) explain(ctx context.Context, files, maps int64) (*plan, error) {
	p := &plan{Where: s.where, Columns: s.options.Select, Files: []filePlan{}}
	err := s.files.Each(ctx, s.options, func(f *scanner.File, o scanner.Options) error {
		if int64(len(p.Files)) >= files {
			p.Left++
			return nil
		}
		proven, err := f.Plan(ctx, o)
		if err != nil {
			return err
		}
		one := filePlan{File: f.Name()}
		for i := range f.Footer().RowGroups {
			rows := f.Footer().RowGroups[i].NumRows
			one.Rows += rows
			one.Groups = append(one.Groups, groupPlan{RowGroup: i, Rows: rows})
		}
		for i := range proven.Groups {
			g := &proven.Groups[i]
			out := &one.Groups[g.RowGroup]
			out.MayPass, out.Statistics, out.PageIndex, out.Bloom = g.Rows.Len(), g.ByStatistics, g.ByPageIndex, g.ByBloom
			for _, t := range g.Tests {
				out.Tests = append(out.Tests, members{"column": t.Column, "test": t.Test, "fail": t.None.Len(), "pass": t.All.Len()})
			}
		}
		if int64(len(p.Files)) < maps {
			if one.Map, err = pageMap(ctx, f, s.options.Select, o, proven); err != nil {
				return err
			}
		}
		p.Files = append(p.Files, one)
		return nil
	})
	return p, err
}

// progress counts what runs of a scan have done.
type progress struct {
	filesBegun, filesDone, rowGroups, bytes, rows atomic.Int64
}

// event is a scanner.Options.Trace.
func (p *progress) event(e scanner.Event) {
	switch e.Kind {
	case scanner.ScanBegins:
		p.filesBegun.Add(1)
	case scanner.ScanEnds:
		p.filesDone.Add(1)
	case scanner.RowGroupEnds:
		p.rowGroups.Add(1)
	case scanner.Requested:
		p.bytes.Add(e.Bytes)
	}
}

// counters returns what all ended runs of a scan did.
func (s *scan) counters() members {
	from := s.stats.Snapshot()
	columns, conditions := []members{}, []members{}
	for i := range from.Columns {
		c := &from.Columns[i]
		pages, bytes := members{}, members{}
		for fate := range scanner.Fates {
			if c.Pages[fate] != 0 || c.Bytes[fate] != 0 {
				pages[scanner.Fate(fate).String()], bytes[scanner.Fate(fate).String()] = c.Pages[fate], c.Bytes[fate]
			}
		}
		columns = append(columns, members{
			"column": strings.Join(c.Leaf.Path(), "."), "pages": pages, "bytes": bytes, "dictionary_pages": c.DictionaryPages,
			"dictionary_bytes": c.DictionaryBytes, "decompressed_bytes": c.Decompressed, "values": c.Values,
		})
	}
	for _, t := range from.Tests {
		conditions = append(conditions, members{"condition": t.Condition, "rows_in": t.In, "rows_out": t.Out, "seconds": t.Time.Seconds()})
	}
	return members{
		"files": len(s.files.Names()), "rows": from.Rows, "batches": from.Batches, "bytes": from.Bytes, "requests": from.Requests,
		"requested_bytes": from.RequestedBytes, "metadata_bytes": from.Metadata, "seconds": from.Duration.Seconds(),
		"columns": columns, "conditions": conditions,
	}
}
