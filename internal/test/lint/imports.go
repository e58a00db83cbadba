package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ImportOrder holds the packages of the root module and of the adapters to the drawing. Tests
// are free: they compare rooms with each other. So are the other modules, which are tools.
func ImportOrder(t *Tree) []string { return importOrder(t, order, never) }

func importOrder(t *Tree, order, never string) (faults []string) {
	d := parseOrder(order)
	graph := map[string][]string{}
	for _, p := range t.packages() {
		if t.module(p.Files[0]) != "." && !isAdapter(p.Dir) {
			continue
		}
		if !matches(d.known, p.Dir) {
			faults = append(faults, p.Dir+": stands nowhere in the import order (internal/test/lint/order.go)")
		}
		for _, f := range p.Files {
			if f.isTest() {
				continue
			}
			for _, imported := range f.imports() {
				room, ours := strings.CutPrefix(imported, t.Module+"/")
				if ours {
					graph[p.Dir] = append(graph[p.Dir], room)
				}
				if why := d.refuses(p, room, ours); why != "" {
					faults = append(faults, fmt.Sprintf("%s: imports %s: %s", f.Path, room, why))
				}
			}
		}
	}
	return append(faults, broken(parseNever(never), graph)...)
}

// isAdapter reports whether a folder is that of an adapter, or a folder within it.
func isAdapter(dir string) bool { return strings.HasPrefix(dir, "adapters/") }

// refuses says why package p may not import what, "" if it may. What an adapter imports of others is its
// own go.mod's to say.
func (d drawing) refuses(p *Package, what string, ours bool) string {
	first, _, _ := strings.Cut(what, "/")
	switch {
	case !ours && isAdapter(p.Dir):
		return ""
	case !ours && !strings.Contains(first, "."): // the standard library
		if matches([]string{"os", "os/*", "io/fs", "net", "net/*", "syscall"}, what) && !matches(d.withOS, p.Dir) {
			return "only scanner/fetch and programs touch the machine"
		}
		return ""
	case what == "golang.org/x/sys/cpu":
		if !p.hasAssembly() {
			return "no assembly in this package asks for it"
		}
		return ""
	case ours && forTests(what) && !strings.HasPrefix(p.Dir, "internal/test/"):
		return "it is for tests"
	case ours && matches(d.anyone, what) && !isAdapter(p.Dir):
		return ""
	}
	for _, e := range d.edges {
		if matches(e.from, what) && matches(e.to, p.Dir) {
			return ""
		}
	}
	if isAdapter(p.Dir) {
		return "not promised to hosts"
	}
	return "not in the import order"
}

// forTests says whether a package, as its name says, is there for tests.
func forTests(dir string) bool { return strings.HasSuffix(dir, "test") }

func broken(prohibitions []prohibition, graph map[string][]string) (faults []string) {
	for _, not := range prohibitions {
		for _, room := range slices.Sorted(maps.Keys(graph)) {
			if !matches(not.who, room) {
				continue
			}
			for _, way := range ways(graph, room, not.deep) {
				if end := way[len(way)-1]; matches(not.what, end) {
					faults = append(faults, strings.Join(way, " imports ")+": never")
				}
			}
		}
	}
	return faults
}

// ways returns a way from the room to each room that it imports, directly or
// (deep) through others.
func ways(graph map[string][]string, room string, deep bool) [][]string {
	var found [][]string
	seen := map[string]bool{room: true}
	for queue := [][]string{{room}}; len(queue) > 0; queue = queue[1:] {
		way := queue[0]
		for _, next := range graph[way[len(way)-1]] {
			if seen[next] {
				continue
			}
			seen[next] = true
			longer := append(slices.Clone(way), next)
			found = append(found, longer)
			if deep {
				queue = append(queue, longer)
			}
		}
	}
	return found
}
