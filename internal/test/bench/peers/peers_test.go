package main

import (
	"bytes"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/bench"
)

// The readers deliver what the list says, which is pyarrow's.
func TestWholeColumns(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"--workloads", "../testdata/workloads.json", "--data", "../../../../testdata", "--only", "all,nested", "--iters", "2"}
	if code := bench.Run(t.Context(), args, &out, &errs, engines()...); code != 0 || bytes.Count(out.Bytes(), []byte("\n")) != 9 {
		t.Errorf("exit code %d: %s%s", code, &out, &errs)
	}
}

// Scans as records of Arrow have conditions, too.
func TestRecords(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"--workloads", "../testdata/workloads.json", "--data", "../../../../testdata", "--only", "range,either,nulls,few", "--engines", "scan,scan-arrow", "--iters", "2"}
	if code := bench.Run(t.Context(), args, &out, &errs, engines()...); code != 0 || bytes.Count(out.Bytes(), []byte("\n")) != 9 {
		t.Errorf("exit code %d: %s%s", code, &out, &errs)
	}
}

// A condition, or a count, is more than the others do here; winnow's figures come all the same.
func TestOthers(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"--workloads", "../testdata/workloads.json", "--data", "../../../../testdata", "--only", "count,few", "--engines", "scan,arrow-go,parquet-go", "--iters", "1"}
	code := bench.Run(t.Context(), args, &out, &errs, engines()...)
	if n := bytes.Count(out.Bytes(), []byte("only whole columns are read")); code != 1 || n != 4 || !bytes.Contains(out.Bytes(), []byte("20000")) {
		t.Errorf("exit code %d, %d refusals: %s%s", code, n, &out, &errs)
	}
}
