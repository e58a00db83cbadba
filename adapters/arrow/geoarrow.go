package arrowscan

import (
	"encoding/json"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// geoMetadata returns a column's reference system and edges as the extension geoarrow.wkb has them. A file has other words for
// reference systems:
//
//	in a file             crs                crs_type
//	nothing               OGC:CRS84          authority_code
//	srid:5070             5070               srid
//	{"type": …            as it is, as JSON  projjson
//	EPSG:4326, and other  as it is           none: whoever reads it must know
func geoMetadata(f *vector.Field) string {
	var m struct {
		CRS   any    `json:"crs"`
		Type  string `json:"crs_type,omitempty"`
		Edges string `json:"edges,omitempty"`
	}
	m.Edges = strings.ToLower(f.Edges)
	m.CRS = f.CRS
	if id, is := strings.CutPrefix(f.CRS, "srid:"); is {
		m.CRS, m.Type = id, "srid"
	} else if f.CRS == "" {
		m.CRS, m.Type = "OGC:CRS84", "authority_code"
	} else if strings.HasPrefix(f.CRS, "{") && json.Valid([]byte(f.CRS)) {
		m.CRS, m.Type = json.RawMessage(f.CRS), "projjson"
	}
	text, _ := json.Marshal(m) // of texts and valid JSON: it cannot fail
	return string(text)
}
