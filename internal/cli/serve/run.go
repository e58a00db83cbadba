package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/explain"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
)

// servedColumn is a leaf column as the page lists it.
type servedColumn struct {
	Path    string `json:"path"` // as a condition names it
	Type    string `json:"type"`
	Bytes   string `json:"bytes"`
	Min     string `json:"min"`
	Max     string `json:"max"`
	Nulls   string `json:"nulls"`
	Filters bool   `json:"filters"` // conditions may name it by its path
}

type servedSchema struct {
	Facts   string         `json:"facts"`
	Columns []servedColumn `json:"columns"`
}

// schema tells what the footer of a file says.
func (s *server) schema(ctx context.Context, name string) (*servedSchema, error) {
	f, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	groups := len(f.Footer().RowGroups)
	rows := int64(0)
	for i := range groups {
		rows += f.Footer().RowGroups[i].NumRows
	}
	answer := &servedSchema{Facts: table.Plural(rows, "row") + ", " + table.Plural(int64(groups), "row group") + ", " + table.Size(f.Source().Size()) + "; " + f.Footer().CreatedBy, Columns: []servedColumn{}}
	for leaf, node := range f.Schema().Leaves() {
		c := servedColumn{Path: node.String(), Type: node.Type.String(), Filters: node.MaxRep == 0}
		bytes, nulls := int64(0), int64(0)
		var low, high vector.Scalar
		known := true // whether low and high bound all row groups so far
		for g := range groups {
			if chunk, err := f.Chunk(g, leaf); err == nil {
				bytes += max(chunk.Meta.CompressedSize, 0)
			}
			zone, err := f.ZoneMap(g, c.Path)
			if known = known && err == nil && !zone.Min.IsNull() && !zone.Max.IsNull(); known {
				input.Widen(&low, &high, zone.Min, zone.Max)
			}
			if nulls >= 0 && err == nil && zone.Nulls >= 0 {
				nulls += zone.Nulls
			} else {
				nulls = -1
			}
		}
		c.Bytes = table.Size(bytes)
		if known && groups > 0 {
			c.Min, c.Max = table.First(low.String(), shownText), table.First(high.String(), shownText)
		}
		if nulls >= 0 {
			c.Nulls = table.Number(nulls)
		}
		answer.Columns = append(answer.Columns, c)
	}
	return answer, nil
}

// run tells what a run finds while it goes on, in lines of JSON.
func (s *server) run(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	encoder, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
	query, err := servedQueryOf(r.URL.Query())
	s.tell(r.Context(), query, err, func(m *message) error {
		if err := encoder.Encode(m); err != nil {
			return err
		}
		return flush()
	})
}

// tell runs a query, unless there is an error already, and sends what it finds, or the error.
func (s *server) tell(ctx context.Context, query servedQuery, err error, send func(*message) error) {
	if err == nil {
		v := &servedRun{query: query, send: send}
		err = v.run(ctx, s)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	text := err.Error()
	if usage, ok := err.(*fault.UsageError); ok && usage.Picture != "" {
		text = strings.Replace(usage.What, "--where: ", "", 1) + "\n" + usage.Picture
	}
	send(&message{Error: text})
}

// servedRun is a run and its answer.
type servedRun struct {
	query servedQuery
	send  func(*message) error

	artist  *explain.Artist
	pages   map[pageKey]int // the place of a page in its column
	pending [][3]int
	told    time.Time
	shown   int64 // rows
	last    int64 // of them
	start   time.Time
}

type pageKey struct{ rowGroup, leaf, page int }

// run does a run. It reads the rows that it sends, and no others but those that must be tested
// to find them.
func (v *servedRun) run(ctx context.Context, s *server) error {
	f, err := s.open(ctx, v.query.file)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := input.RowsOf(f)
	if err == nil {
		err = v.query.check(rows)
	}
	if err != nil {
		return err
	}
	o := &command.Options{Limit: -1, RowGroup: -1}
	if v.query.columns != "" {
		if err := o.Columns.Set(v.query.columns); err != nil {
			return err
		}
	}
	if v.query.where != "" {
		if err := o.Where.Set(v.query.where); err != nil {
			return err
		}
		if err := o.Where.Parse(); err != nil {
			return err
		}
	}
	var plan bytes.Buffer
	report := output.NewReport(&plan, output.Format{Name: output.FormatTable}, table.Screen{Width: v.query.width})
	e, err := explain.PlanOf(ctx, f, o, report)
	if err != nil {
		return o.Where.Explain("", err)
	}
	if err := e.Tables(ctx); err != nil {
		return err
	}
	report.Flush()
	fields, err := f.WithFolders().Fields(ctx, e.Options)
	if err != nil {
		return err
	}
	v.artist = explain.NewArtist(e)
	js, err := v.draw(ctx, &scanner.Stats{})
	if err != nil {
		return err
	}
	first := &message{Plan: plan.String(), Picture: js, Progress: "running"}
	for i := range fields {
		first.Columns = append(first.Columns, rowColumn{fields[i].Name, fields[i].Layout == vector.Leaf && table.IsNumber(fields[i].Type)})
	}
	v.numberPages()
	if err := v.send(first); err != nil {
		return err
	}
	return v.scan(ctx, e, fields, rows)
}

// draw returns the picture of what is known so far.
func (v *servedRun) draw(ctx context.Context, stats *scanner.Stats) ([]byte, error) {
	if err := v.artist.Draw(ctx, stats); err != nil {
		return nil, err
	}
	return v.artist.Picture.JSON()
}

// numberPages notes where each page stands in its column.
func (v *servedRun) numberPages() {
	v.pages = map[pageKey]int{}
	for leaf := range v.artist.Picture.Columns {
		for i := range v.artist.Picture.Columns[leaf].Pages {
			switch p := &v.artist.Picture.Columns[leaf].Pages[i]; p.Kind {
			case picture.Data:
				v.pages[pageKey{p.Group, leaf, p.Number}] = i
			case picture.Dictionary:
				v.pages[pageKey{p.Group, leaf, scanner.DictionaryPage}] = i
			}
		}
	}
}

const (
	shownText = 2000 // characters of a value
	tellEvery = 100 * time.Millisecond
)

// scan sends the page of a file of so many rows.
func (v *servedRun) scan(ctx context.Context, e *explain.Explanation, fields []vector.Field, rows int64) error {
	v.start = time.Now()
	o := e.Options
	first, err := v.query.first(ctx, e.File, o)
	if err != nil {
		return err
	}
	o.Rows, o.Limit, o.RowNumber = rowsFrom(e.File, first, rows), shownRows, rowNumber(e.File)
	o.Stats = new(scanner.Stats)
	v.artist.Watch(&o)
	collect := o.Pages
	o.Pages = func(p scanner.PageReport) {
		collect(p)
		v.page(p)
	}
	slots := make([]*vector.Slots, len(fields))
	for i := range fields {
		slots[i] = fields[i].Text()
	}
	for b, err := range e.File.WithFolders().Scan(ctx, o) {
		if err != nil {
			return err
		}
		v.shown += int64(b.Len)
		v.last = b.Columns[len(fields)].Int64s[b.Len-1]
		rows, err := texts(b, slots)
		b.Release()
		if err == nil {
			err = v.send(&message{Rows: rows})
		}
		if err == nil {
			err = v.tell()
		}
		if err != nil {
			return err
		}
	}
	took := time.Since(v.start)
	js, err := v.draw(ctx, o.Stats)
	if err != nil {
		return err
	}
	done := &message{Picture: js, Progress: table.Plural(v.shown, "row") + " in " + explain.Milliseconds(took)}
	v.query.found(done, v.shown, first, v.last, rows, o.Filter != nil)
	return v.send(done)
}

// page notes what became of a page, and tells it from time to time.
func (v *servedRun) page(p scanner.PageReport) {
	if i, ok := v.pages[pageKey{p.RowGroup, p.Leaf.FirstLeaf, p.Page}]; ok {
		v.pending = append(v.pending, [3]int{p.Leaf.FirstLeaf, i, int(explain.FateOf(p))})
	}
	v.tell()
}

// tell sends what became of pages, unless it did so a moment ago.
func (v *servedRun) tell() error {
	now := time.Now()
	if now.Sub(v.told) < tellEvery {
		return nil
	}
	v.told = now
	m := &message{Pages: v.pending, Progress: "running: " + table.Plural(v.shown, "row") + " so far, " + explain.Milliseconds(now.Sub(v.start))}
	v.pending = nil
	return v.send(m)
}

// texts returns the rows of a batch as texts. Of its columns, the first have slots.
func texts(b *vector.Batch, slots []*vector.Slots) ([][]*string, error) {
	rows := make([][]*string, b.Len)
	for c, column := range b.Columns[:len(slots)] {
		slots[c].Use(column)
		for i := range b.Len {
			if column.IsNull(i) {
				rows[i] = append(rows[i], nil)
				continue
			}
			text, err := slots[c].Append(nil, i)
			if err != nil {
				return nil, err
			}
			shown := table.Printable(table.First(string(text), shownText))
			rows[i] = append(rows[i], &shown)
		}
	}
	return rows, nil
}
