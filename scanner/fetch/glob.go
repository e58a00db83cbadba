package fetch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Glob returns the files that an argument names: itself if it is there,
// else those that it matches as a pattern, sorted. Besides what
// filepath.Match knows, a part "**" stands for any number of folders. A pattern that no
// file matches is an error that matches fs.ErrNotExist; a name without a
// wildcard is returned as it is, and opening it fails with that.
func Glob(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	if err == nil && info.IsDir() {
		return nil, errors.New(arg + ": is a folder; for the files in it: '" + filepath.Join(arg, "**", "*.parquet") + "'")
	}
	if err == nil || !strings.ContainsAny(arg, "*?[") {
		return []string{arg}, nil // what is wrong with it, opening will tell
	}
	var found []string
	if !strings.Contains(arg, "**") {
		if found, err = filepath.Glob(arg); err != nil {
			return nil, errors.New(arg + ": not a pattern: a bracket is not closed")
		}
	} else if found, err = globDeep(arg); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.IsDir()
	})
	if len(found) == 0 {
		return nil, noMatch(arg)
	}
	return found, nil
}

// noMatch is the error for a pattern that no file matches.
type noMatch string

func (pattern noMatch) Error() string        { return string(pattern) + ": no file matches" }
func (pattern noMatch) Is(target error) bool { return target == fs.ErrNotExist }

func globDeep(pattern string) ([]string, error) {
	parts := strings.Split(filepath.ToSlash(pattern), "/")
	root := 0 // parts without a wildcard, from where the walk starts
	for root < len(parts) && !strings.ContainsAny(parts[root], "*?[") {
		root++
	}
	start := strings.Join(parts[:root], "/")
	if start == "" {
		start = "."
		if root > 0 {
			start = "/"
		}
	}
	var found []string
	err := filepath.WalkDir(filepath.FromSlash(start), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // a folder that cannot be read holds no file for us
		}
		rel, err := filepath.Rel(start, path)
		if err != nil {
			return err
		}
		ok, err := matchParts(parts[root:], strings.Split(filepath.ToSlash(rel), "/"))
		if ok {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		return nil, errors.New(pattern + ": " + err.Error())
	}
	return found, nil
}

// Match reports whether a name matches a pattern as Glob has them. Both are divided by slashes.
func Match(pattern, name string) (bool, error) {
	parts := strings.Split(pattern, "/")
	ok, err := matchParts(parts, strings.Split(name, "/"))
	for i := 0; !ok && err == nil && i < len(parts); i++ {
		_, err = filepath.Match(parts[i], "") // the match may not have come that far
	}
	if err != nil {
		return false, errors.New(pattern + ": not a pattern: a bracket is not closed")
	}
	return ok, nil
}

// matchParts matches parts in time of at most len(pattern) × len(name), as the last "**" alone is
// tried at several places: what an earlier one matches can stay as short as it is.
func matchParts(pattern, name []string) (bool, error) {
	var afterStars []string // what follows the last "**"; nil: there was none
	from := name            // where that is tried
	for {
		switch {
		case len(pattern) > 0 && pattern[0] == "**":
			pattern = pattern[1:]
			afterStars, from = pattern, name
			continue
		case len(pattern) > 0 && len(name) > 0:
			ok, err := filepath.Match(pattern[0], name[0])
			if err != nil {
				return false, err
			}
			if ok {
				pattern, name = pattern[1:], name[1:]
				continue
			}
		case len(pattern) == 0 && len(name) == 0:
			return true, nil
		}
		if afterStars == nil || len(from) == 0 {
			return false, nil
		}
		from = from[1:]
		pattern, name = afterStars, from
	}
}
