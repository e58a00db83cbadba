package hdfsscan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/colinmarc/hdfs/v2"
)

// Match returns the paths of the files that a path or a pattern stands for, sorted. Besides what
// path.Match knows, a part "**" stands for any number of folders. A folder stands for all files
// below it. Files and folders whose names begin with "_" or "." are left out, as everywhere in Hadoop, unless
// the pattern has such a name. No file is an error that matches fs.ErrNotExist.
func (c *Cluster) Match(ctx context.Context, pattern string) ([]string, error) {
	pattern = path.Clean("/" + pattern)
	m := matcher{ctx: ctx, cluster: c}
	info, err := c.stat(ctx, pattern)
	if err == nil {
		err = m.add(pattern, info)
	}
	if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(pattern, `*?[\`) {
		err = m.expand("/", strings.Split(pattern[1:], "/"))
	}
	if err == nil && len(m.found) == 0 {
		err = noMatch{}
	}
	if err != nil {
		return nil, wrap(ctx, c.name+pattern, err)
	}
	slices.Sort(m.found)
	return slices.Compact(m.found), nil
}

// noMatch is the error for a pattern or a folder without files.
type noMatch struct{}

func (noMatch) Error() string        { return "no file matches" }
func (noMatch) Is(target error) bool { return target == fs.ErrNotExist }

// matcher finds files. What is gone by the time that it is listed counts as never found.
type matcher struct {
	ctx     context.Context
	cluster *Cluster
	found   []string
	listed  int // files and folders
}

const (
	// maxListed bounds a listing: a namenode that never ends it would fill the memory.
	maxListed = 1 << 24

	// listStep is how many files and folders are listed at a time.
	listStep = 1000
)

// add adds a file, or all files below a folder.
func (m *matcher) add(name string, info fs.FileInfo) error {
	if !info.IsDir() {
		m.found = append(m.found, name)
		return nil
	}
	entries, err := m.list(name)
	for _, e := range entries {
		if !hidden(e.Name()) && err == nil {
			err = m.add(path.Join(name, e.Name()), e)
		}
	}
	return err
}

// expand finds the files below a folder that the parts of a pattern stand for.
func (m *matcher) expand(folder string, parts []string) error {
	part, rest := parts[0], parts[1:]
	if !strings.ContainsAny(part, `*?[\`) && len(rest) > 0 {
		return m.expand(path.Join(folder, part), rest)
	}
	entries, err := m.list(folder)
	if err != nil {
		return err
	}
	if part == "**" && len(rest) > 0 {
		if err := m.expand(folder, rest); err != nil {
			return err
		}
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		ok, err := path.Match(part, e.Name())
		switch {
		case err != nil:
			return errors.New("not a pattern: a bracket is not closed")
		case !ok || hidden(e.Name()) && !hidden(part):
		case part == "**" && len(rest) > 0:
			if e.IsDir() {
				err = m.expand(name, parts)
			}
		case len(rest) == 0:
			err = m.add(name, e)
		case e.IsDir():
			err = m.expand(name, rest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns what is in a folder, nothing if it is gone.
func (m *matcher) list(folder string) (entries []fs.FileInfo, err error) {
	err = m.cluster.call(m.ctx, func(client *hdfs.Client) error {
		reader, err := client.Open(folder)
		if err != nil {
			return err
		}
		defer reader.Close()
		entries, err = listAll(reader.Readdir, maxListed-m.listed)
		return err
	})
	if m.listed += len(entries); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// listAll returns all that a folder has, by calls for some of it at a time.
func listAll(list func(n int) ([]fs.FileInfo, error), most int) (all []fs.FileInfo, err error) {
	for {
		some, err := list(listStep)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if n := len(all); n > 0 && some[0].Name() <= all[n-1].Name() {
			return nil, errors.New("the namenode's listing does not go on: " + strconv.Quote(some[0].Name()) + " comes again")
		}
		if all = append(all, some...); len(all) > most {
			return nil, errors.New("more than 16 million files and folders")
		}
		if len(some) < listStep {
			return all, nil
		}
	}
}

func hidden(name string) bool { return name[0] == '_' || name[0] == '.' }
