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
