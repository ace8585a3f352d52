package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"quartier/ingest/kinds/osm"
)

// Extract is the region of a single OpenStreetMap file: its boundaries and places are all there is. Country and state
// say where it lies, for a file that does not say so itself; both may be "".
func Extract(file, asOf, country, state string) *Region {
	stem := strings.ToLower(strings.SplitN(filepath.Base(file), ".", 2)[0])
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(stem, "-"), "-")
	if name == "" {
		name = "extract"
	}
	return &Region{Name: name, Title: filepath.Base(file), Country: country, State: state, Sources: []Source{{
		ID: "osm", Kind: "osm", Path: file, AsOf: asOf, Licence: "ODbL-1.0", Attribution: "© OpenStreetMap contributors",
	}}}
}

// ExtractDate is the day that an OpenStreetMap file's header tells (YYYY-MM-DD), else the day the file was written.
func ExtractDate(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("extract: %w", err)
	}
	told, err := osm.Timestamp(file)
	if err != nil {
		return "", fmt.Errorf("extract %s: %w", file, err)
	}
	if told.IsZero() {
		told = info.ModTime()
	}
	return told.UTC().Format(time.DateOnly), nil
}
