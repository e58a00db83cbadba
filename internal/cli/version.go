package cli

import (
	"runtime/debug"
	"strings"
)

// version returns what this program knows of the source that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel), built without modules"
	}
	return versionOf(info)
}

// versionOf returns the version of the main module and the revision of its source:
//
//	v1.2.0                                                    go install MODULE@v1.2.0
//	v1.2.1-0.20…-168cbf3fe91c+dirty, revision 168cb…, altered go build in a clone
//	(devel), its revision was not recorded                    go run, go build -buildvcs=false
func versionOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	switch revision := settings["vcs.revision"]; {
	case revision != "":
		text += ", revision " + revision
		if at := settings["vcs.time"]; at != "" {
			text += " of " + at
		}
		if settings["vcs.modified"] == "true" {
			text += ", with changes that are not committed"
		}
	case strings.HasPrefix(text, "("):
		text += ", its revision was not recorded: go build records it in a clone, unless -buildvcs=false is set"
	}
	return text
}
