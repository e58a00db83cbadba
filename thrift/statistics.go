package thrift

// Flag is an optional bool.
type Flag uint8

// The values of a Flag.
const (
	Absent Flag = iota
	True
	False
)

// flag returns the value of a bool field, which is the type in its key.
func flag(k int32) Flag { return Flag(k & 0x0f) }

// Statistics of a column chunk or page. Bounds are views in the column's plain
// encoding, without length; nil if absent.
type Statistics struct {
	Min, Max           []byte // deprecated, in signed order
	MinValue, MaxValue []byte
	MinExact, MaxExact Flag // whether MinValue and MaxValue are values of the column
	HasNullCount       bool
	HasDistinctCount   bool
	HasNaNCount        bool
	NullCount          int64
	DistinctCount      int64
	NaNCount           int64
}

// optionalStatistics reads the statistics of a page or chunk, and sets has. If the field is there
// twice, the last one counts.
func (r *reader) optionalStatistics(s *Statistics, has *bool) {
	if *has {
		*s = Statistics{}
	}
	r.statistics(s)
	*has = true
}

// statistics reads into s, which is zero.
func (r *reader) statistics(s *Statistics) {
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeBinary:
			s.Max = r.binary()
		case 2<<4 | typeBinary:
			s.Min = r.binary()
		case 3<<4 | typeI64:
			s.NullCount, s.HasNullCount = r.i64(), true
		case 4<<4 | typeI64:
			s.DistinctCount, s.HasDistinctCount = r.i64(), true
		case 5<<4 | typeBinary:
			s.MaxValue = r.binary()
		case 6<<4 | typeBinary:
			s.MinValue = r.binary()
		case 7<<4 | typeTrue, 7<<4 | typeFalse:
			s.MaxExact = flag(k)
		case 8<<4 | typeTrue, 8<<4 | typeFalse:
			s.MinExact = flag(k)
		case 9<<4 | typeI64:
			s.NaNCount, s.HasNaNCount = r.i64(), true
		default:
			r.skip(k)
		}
	}
}

// SizeStatistics describe how much memory a chunk's values take. A histogram counts
// the slots at each level and is empty if absent.
type SizeStatistics struct {
	HasUnencodedBytes   bool
	UnencodedBytes      int64 // of BYTE_ARRAY values, without lengths
	RepetitionHistogram []int64
	DefinitionHistogram []int64
}

func (r *reader) sizeStatistics(s *SizeStatistics) {
	*s = SizeStatistics{
		RepetitionHistogram: s.RepetitionHistogram[:0],
		DefinitionHistogram: s.DefinitionHistogram[:0],
	}
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI64:
			s.UnencodedBytes, s.HasUnencodedBytes = r.i64(), true
		case 2<<4 | typeList:
			s.RepetitionHistogram = r.i64s(s.RepetitionHistogram)
		case 3<<4 | typeList:
			s.DefinitionHistogram = r.i64s(s.DefinitionHistogram)
		default:
			r.skip(k)
		}
	}
}

// GeospatialStatistics of a GEOMETRY or GEOGRAPHY chunk.
type GeospatialStatistics struct {
	HasBox bool
	Box    BoundingBox
	Types  []int32 // WKB codes; empty if not known
}

// BoundingBox has an interval for each axis; Z and M may be absent.
type BoundingBox struct {
	XMin, XMax, YMin, YMax, ZMin, ZMax, MMin, MMax float64
	HasZMin, HasZMax, HasMMin, HasMMax             bool
}

func (r *reader) geospatial(g *GeospatialStatistics) {
	*g = GeospatialStatistics{Types: g.Types[:0]}
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeStruct:
			r.boundingBox(&g.Box)
			g.HasBox = true
		case 2<<4 | typeList:
			g.Types = g.Types[:0]
			for n := r.list(typeI32, 1); n > 0 && r.err == nil; n-- {
				g.Types = append(g.Types, r.i32())
			}
		default:
			r.skip(k)
		}
	}
}

func (r *reader) boundingBox(x *BoundingBox) {
	var seen uint32
	var bounds [9]float64 // by the ids of their fields
	for k := r.field(0); k != 0; k = r.field(k) {
		id := k >> 4
		if k&0x0f != typeDouble || id < 1 || id > 8 {
			r.skip(k)
			continue
		}
		bounds[id] = r.double()
		seen |= 1 << id
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4, "bounding box", "xmin xmax ymin ymax")
	has := func(id int) bool { return seen>>id&1 != 0 }
	*x = BoundingBox{XMin: bounds[1], XMax: bounds[2], YMin: bounds[3], YMax: bounds[4],
		ZMin: bounds[5], ZMax: bounds[6], MMin: bounds[7], MMax: bounds[8],
		HasZMin: has(5), HasZMax: has(6), HasMMin: has(7), HasMMax: has(8)}
}
