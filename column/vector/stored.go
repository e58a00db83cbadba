package vector

// Stored is what a file's ARROW:schema says of a column: the Arrow schema that Arrow's writers leave in a file's
// metadata. It says only what agrees with the column's type in Parquet. It must not be changed.
type Stored struct {
	Name string // of the column; of items, keys and values, which need not have their Parquet name

	// Format is the type in the words of Arrow's C data interface: "tDu" is a duration in microseconds,
	// "tsu:Europe/Berlin" a timestamp, "U" a large string, "+w:3" a list of 3 items. Of a dictionary it is the
	// type of the entries.
	Format string

	Indices string // of a dictionary, the format of its indices; "" of others
	Ordered bool   // of a dictionary, that the entries of the file's dictionaries are in order; of a map, that the keys in it are

	MetadataKeys, MetadataValues []string // as many of both

	Schema *Stored // the whole schema, of which only the metadata are set; nil in it
}

// Zone returns the time zone of a timestamp, "" if it has none.
func (s *Stored) Zone() string {
	if s == nil || len(s.Format) < 4 || s.Format[:2] != "ts" {
		return ""
	}
	return s.Format[4:]
}

// Annotation returns the annotation of t, the column's type, with what s adds to its meaning: a DURATION and its unit,
// or the zone of a TIMESTAMP. s may be nil.
func (s *Stored) Annotation(t Type) string {
	if zone := s.Zone(); zone != "" && t.Logical == Timestamp {
		return "TIMESTAMP(" + t.Unit.String() + "," + zone + ")"
	}
	if s != nil && len(s.Format) == 3 && s.Format[:2] == "tD" {
		unit := map[byte]string{'s': "SECONDS", 'm': "MILLIS", 'u': "MICROS", 'n': "NANOS"}[s.Format[2]]
		return "DURATION(" + unit + ")"
	}
	return t.Annotation()
}
