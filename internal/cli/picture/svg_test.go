package picture

import (
	"strings"
	"testing"
)

// All that a drawing paints has a colour in page.css, that for white paper, and classes of pages
// differ. Pages that are open are in drawings of plans alone, where none is unpacked.
func TestColours(t *testing.T) {
	names := []string{"back", "text", "quiet", "line", "none", "open", "all"}
	classes := map[string]string{} // by colour
	for _, f := range fates {
		names = append(names, f.Class)
		if other := classes[colours[f.Class]]; other != "" && other != f.Class && f.Class != fates[Open].Class {
			t.Errorf("%s is as %s", f.Class, other)
		}
		classes[colours[f.Class]] = f.Class
	}
	light, dark, found := strings.Cut(Style, "prefers-color-scheme: dark")
	for _, name := range names {
		if colour := colours[name]; colour == "" || !strings.Contains(light, "--"+name+": "+colour) {
			t.Errorf("%s: %q", name, colour)
		}
	}
	if !found || colours["back"] != "#ffffff" || strings.Contains(dark, "--back: #ffffff") {
		t.Errorf("on %s", colours["back"])
	}
}

// Bytes of no data page say what they are of.
func TestTotals(t *testing.T) {
	p := &Picture{Rows: 10, Columns: []Column{
		{Name: "a", Pages: []Page{{Kind: Dictionary, Fate: Beside, Rows: 10, Bytes: 416_768}, {Fate: Decoded, Rows: 10, Bytes: 5000}}},
		{Name: "b", Pages: []Page{{Kind: Dictionary, Fate: Decoded, Rows: 10, Bytes: 50}, {Kind: Dictionary, Fate: Decoded, Rows: 10, Bytes: 50}, {Fate: Decoded, Rows: 10, Bytes: 3000}}},
		{Name: "c", Pages: []Page{{Kind: Between, Fate: NotAsked, Rows: 10, Bytes: 70}}},
	}}
	var svg strings.Builder
	if err := p.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">unread: not needed: 1 dictionary, 407 KiB<", ">decoded: 2 pages, 2 dictionaries, 8100 B<", ">column not used: 70 B outside pages<"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(svg.String(), ": 0 pages") {
		t.Error("bytes of 0 pages")
	}
}
