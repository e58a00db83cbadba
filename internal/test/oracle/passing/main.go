// Passing says which rows of Parquet files pass conditions, for programs that
// compare it with what others say. A line of its input is a JSON list of a
// path and a condition; its answer is one of
//
//	{"rows":3,"sum":12,"hash":345}     of their numbers in the file, from 0 on
//	{"error":"…"}
//
// What never comes here: flags, other ways to count.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

type answer struct {
	Rows  int64  `json:"rows"`
	Sum   int64  `json:"sum"`
	Hash  int64  `json:"hash"`
	Error string `json:"error,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "passing:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	files := map[string]*scanner.File{}
	d, e := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	for {
		var question [2]string
		if err := d.Decode(&question); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := ask(files, question[0], question[1])
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := e.Encode(a); err != nil {
			return err
		}
	}
}

func ask(files map[string]*scanner.File, path, where string) (a answer, err error) {
	f := files[path]
	if f == nil {
		if f, err = scanner.Open(context.Background(), path); err != nil {
			return a, err
		}
		files[path] = f
	}
	o := scanner.Options{Select: []string{}, RowNumber: "row"}
	if o.Filter, err = filter.Parse(where); err != nil {
		return a, err
	}
	for b, err := range f.Scan(context.Background(), o) {
		if err != nil {
			return a, err
		}
		for _, row := range b.Columns[0].Int64s[:b.Len] {
			a.Rows++
			a.Sum += row
			a.Hash += row * 2654435761 % 4294967291
		}
		b.Release()
	}
	return a, nil
}
