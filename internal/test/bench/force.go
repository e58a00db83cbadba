package bench

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/internal/knobs"
)

// forcedScans returns scans that are forced to one of the ways among which scans choose by cost. That
// they give the same rows is the business of internal/test/oracle.
func forcedScans() (all []ownScan) {
	add := func(name string, force func(*knobs.Knobs)) { all = append(all, ownScan{name: name, force: force}) }
	add("gather", func(k *knobs.Knobs) { k.Column.Gather = column.Always })
	add("decode", func(k *knobs.Knobs) { k.Column.Gather = column.Never })
	add("codes", func(k *knobs.Knobs) { k.Column.Gather, k.Column.Codes = column.Never, column.Always })
	add("values", func(k *knobs.Knobs) { k.Column.Gather, k.Column.Codes = column.Never, column.Never })
	add("masks", func(k *knobs.Knobs) { k.Column.Mask = column.Always })
	add("no-masks", func(k *knobs.Knobs) { k.Column.Mask = column.Never })
	add("keep", func(k *knobs.Knobs) { k.Column.Keep = column.Always })
	add("forget", func(k *knobs.Knobs) { k.Column.Keep = column.Never })
	add("stop", func(k *knobs.Knobs) { k.Column.Stop = column.Always })
	add("whole", func(k *knobs.Knobs) { k.Column.Stop = column.Never })
	add("copy", func(k *knobs.Knobs) { k.Column.Copy = column.Always })
	add("borrow", func(k *knobs.Knobs) { k.Column.Copy = column.Never })
	add("eager", func(k *knobs.Knobs) { k.Column.Eager = true })
	add("window-4k", func(k *knobs.Knobs) { k.Window = 4 << 10 })
	add("window-128k", func(k *knobs.Knobs) { k.Window = 128 << 10 })
	add("read", func(k *knobs.Knobs) { k.NoMapping = true })
	add("in-order", func(k *knobs.Knobs) { k.FixedOrder = true })
	add("unproven", func(k *knobs.Knobs) {
		k.NoStatistics, k.NoPageIndex, k.NoBloom, k.NoDictionaries = true, true, true, true
	})
	return all
}
