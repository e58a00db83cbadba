// Package explain has the commands that show what a query reads, and why: explain with its
// plan, counters and picture, and advise, which finds what other shape of a file would save.
//
//	PlanOf ─▶ Explanation ─┬▶ findings: what metadata prove
//	                       ├▶ Artist: the picture, before and after a scan
//	                       └▶ witness: a query as package advice computes with it
//
// What never comes here: how pictures look, see picture; what a change would save, see advice.
package explain
