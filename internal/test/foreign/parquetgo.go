package main

import (
	"os"

	"github.com/parquet-go/parquet-go"
)

func writeParquetGo[T any](path string, rows []T, perGroup int, options ...parquet.WriterOption) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	options = append(options, parquet.CreatedBy("parquet-go", "0.32.0", "pinned"))
	w := parquet.NewGenericWriter[T](f, options...)
	for len(rows) > 0 {
		n := min(perGroup, len(rows))
		if _, err := w.Write(rows[:n]); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return w.Close()
}

type hit struct {
	Time    int64   `parquet:"time,timestamp(microsecond)"`
	Method  string  `parquet:"method,dict"`
	URL     string  `parquet:"url,dict"`
	Status  int32   `parquet:"status,dict"`
	UserID  int64   `parquet:"user_id"`
	Latency int32   `parquet:"latency_ms,delta"`
	Bytes   *int64  `parquet:"bytes,optional"`
	Agent   string  `parquet:"user_agent,dict"`
	Referer *string `parquet:"referer,optional"`
}

// webLog is a log of requests sorted by time.
func webLog(path string) error {
	s := seeded(2)
	rows := make([]hit, 20_000)
	at := int64(1_718_000_000_000_000)
	for i := range rows {
		at += int64(s.IntN(900_000))
		h := hit{Time: at, Method: "GET", URL: s.url(), Status: 200, UserID: int64(s.skewed(60_000))*7919 + 100_000}
		switch s.IntN(40) {
		case 0:
			h.Status = 404
		case 1:
			h.Status = 500 + int32(s.IntN(4))
		case 2, 3:
			h.Status, h.Method = 302, "POST"
		}
		h.Latency = int32(3 + s.skewed(1800))
		if h.Status == 200 {
			n := int64(400 + s.skewed(90_000))
			h.Bytes = &n
		}
		h.Agent = s.pick(agents)
		if s.IntN(3) == 0 {
			u := s.url()
			h.Referer = &u
		}
		rows[i] = h
	}
	return writeParquetGo(path, rows, 5000, parquet.Compression(&parquet.Zstd), parquet.PageBufferSize(8<<10), parquet.WriteBufferSize(0),
		parquet.BloomFilters(parquet.SplitBlockFilter(10, "user_id")))
}

type encoded struct {
	Flag     bool     `parquet:"flag"`
	Plain    int32    `parquet:"plain,plain"`
	Delta    int64    `parquet:"delta,delta"`
	Dict     *string  `parquet:"dict,optional,dict"`
	Split    float64  `parquet:"split,split"`
	Split32  float32  `parquet:"split32,split"`
	Lengths  string   `parquet:"lengths"`
	Prefixes string   `parquet:"prefixes,delta"`
	Snappy   int64    `parquet:"snappy,snappy"`
	LZ4      string   `parquet:"lz4,lz4"`
	UUID     [16]byte `parquet:"uuid,uuid"`
}

func parquetGoEncodings(path string) error {
	s := seeded(7)
	rows := make([]encoded, 600)
	for i := range rows {
		word := s.pick(nouns)
		rows[i] = encoded{
			Flag: i/40%3 == 1, Plain: int32(s.Uint32()), Delta: int64(i*i) - int64(s.IntN(50)),
			Split: s.NormFloat64(), Split32: float32(i) / 3, Lengths: s.sentence(adjectives, 2), Prefixes: s.url(),
			Snappy: int64(i % 9), LZ4: word, UUID: [16]byte{0: byte(i >> 8), 1: byte(i), 15: byte(s.IntN(256))},
		}
		if i%4 > 0 {
			rows[i].Dict = &word
		}
	}
	return writeParquetGo(path, rows, 400, parquet.PageBufferSize(2048), parquet.DataPageVersion(1))
}

type part struct {
	Name  string  `parquet:"name"`
	Sizes []int32 `parquet:"sizes"`
}

type assembly struct {
	ID     int64    `parquet:"id"`
	Parts  []part   `parquet:"parts,list"`
	Labels []string `parquet:"labels"`
	Origin *part    `parquet:"origin,optional"`
}

func parquetGoNested(path string) error {
	s := seeded(8)
	rows := make([]assembly, 200)
	makePart := func() part {
		p := part{Name: s.pick(nouns)}
		for range s.IntN(4) {
			p.Sizes = append(p.Sizes, int32(s.IntN(100)))
		}
		return p
	}
	for i := range rows {
		rows[i].ID = int64(i)
		for range s.IntN(4) {
			rows[i].Parts = append(rows[i].Parts, makePart())
		}
		for range s.IntN(3) {
			rows[i].Labels = append(rows[i].Labels, s.pick(colours))
		}
		if s.IntN(3) > 0 {
			p := makePart()
			rows[i].Origin = &p
		}
	}
	return writeParquetGo(path, rows, 120, parquet.PageBufferSize(512), parquet.DataPageVersion(2))
}
