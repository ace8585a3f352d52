package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"quartier/ingest/kinds/osm"
	"quartier/schemas"
)

// Extract returns the region of a single OpenStreetMap file. It has no region file that could accept collapsed scales by
// name, so that all are accepted; `quartier survey` lists them.
func Extract(file, asOf string) *Region {
	stem := strings.ToLower(strings.SplitN(filepath.Base(file), ".", 2)[0])
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(stem, "-"), "-")
	if name == "" {
		name = "extract"
	}
	accepted := map[string]string{}
	for _, score := range schemas.ScoreIDs() {
		accepted[score] = "built from one extract, without a region file"
	}
	return &Region{Name: name, Title: filepath.Base(file), AcceptCollapsed: accepted, Sources: []Source{{
		ID: "osm", Kind: "osm", Path: file, AsOf: asOf, Licence: "ODbL-1.0", Attribution: "© OpenStreetMap contributors",
	}}}
}

// ExtractDate returns the date in an OpenStreetMap file's header (YYYY-MM-DD), else that of its last modification.
func ExtractDate(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("extract: %w", err)
	}
	date, err := osm.Timestamp(file)
	if err != nil {
		return "", fmt.Errorf("extract %s: %w", file, err)
	}
	if date.IsZero() {
		date = info.ModTime()
	}
	return date.UTC().Format(time.DateOnly), nil
}
