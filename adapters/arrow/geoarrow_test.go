package arrowscan_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// TestGeoarrow checks the reference systems and edges of GEOMETRY and GEOGRAPHY as GeoArrow's metadata.
func TestGeoarrow(t *testing.T) {
	const corpus = "../../../shared/corpus/parquet-testing/data/geospatial/"
	for _, c := range []struct{ file, column, want string }{
		{"../../testdata/shapes/logical_types_places.parquet", "geometry", `{"crs":"OGC:CRS84","crs_type":"authority_code"}`},
		{"../../testdata/shapes/logical_types_places.parquet", "geometry_crs", `{"crs":"5070","crs_type":"srid"}`},
		{"../../testdata/shapes/logical_types_places.parquet", "geography", `{"crs":"OGC:CRS84","crs_type":"authority_code","edges":"spherical"}`},
		{corpus + "crs-default.parquet", "geometry", `{"crs":"OGC:CRS84","crs_type":"authority_code"}`},
		{corpus + "crs-srid.parquet", "geometry", `{"crs":"5070","crs_type":"srid"}`},
		{corpus + "crs-geography.parquet", "geography", `{"crs":"OGC:CRS84","crs_type":"authority_code","edges":"spherical"}`},
	} {
		if got := geoMetadata(t, c.file, c.column); got != c.want {
			t.Errorf("%s, %s: %s, want %s", filepath.Base(c.file), c.column, got, c.want)
		}
	}
	for _, name := range []string{"crs-projjson.parquet", "crs-arbitrary-value.parquet"} {
		var m struct {
			CRS struct {
				Type string
				ID   struct{ Code int }
			}
			Type string `json:"crs_type"`
		}
		text := geoMetadata(t, corpus+name, "geometry")
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.CRS.Type != "ProjectedCRS" || m.CRS.ID.Code != 5070 || m.Type != "projjson" {
			t.Errorf("%s: %v: %s", name, err, text)
		}
	}
	for crs, want := range map[string]string{
		"EPSG:4326": `{"crs":"EPSG:4326","edges":"karney"}`, "{not JSON": `{"crs":"{not JSON","edges":"karney"}`,
		"projjson:none": `{"crs":"projjson:none","edges":"karney"}`, `{"a": 1}`: `{"crs":{"a":1},"crs_type":"projjson","edges":"karney"}`,
	} {
		f := vector.Field{Name: "x", Type: vector.Type{Physical: vector.ByteArray, Logical: vector.Geography}, CRS: crs, Edges: "KARNEY"}
		schema, err := arrowscan.Schema([]vector.Field{f}, arrowscan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := schema.Field(0).Metadata.GetValue("ARROW:extension:metadata"); got != want {
			t.Errorf("%s: %s, want %s", crs, got, want)
		}
	}
}

// geoMetadata returns the extension's metadata of a column. Without the corpus it skips the test, unless that must run.
func geoMetadata(t *testing.T, file, column string) string {
	t.Helper()
	f, err := scanner.Open(t.Context(), file)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("WINNOW_CORPUS_REQUIRED") == "" {
		t.Skipf("%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := arrowscan.NewReader(t.Context(), f, scanner.Options{Select: []string{column}}, arrowscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	metadata := r.Schema().Field(0).Metadata
	if name, _ := metadata.GetValue("ARROW:extension:name"); name != "geoarrow.wkb" {
		t.Errorf("%s: extension %q", file, name)
	}
	text, _ := metadata.GetValue("ARROW:extension:metadata")
	return text
}
