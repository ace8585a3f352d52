package ingest

import (
	"context"
	"errors"
	"fmt"
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

// ErrUndated is the error of an extract that does not say of when its data are.
var ErrUndated = errors.New("neither its header nor an element of it has a time")

// ExtractDate returns the date of the data in an OpenStreetMap file (YYYY-MM-DD): that in its header, else of its newest edit, and
// never that of the file, which says when it was copied. ErrUndated if it has none.
func ExtractDate(ctx context.Context, file string) (string, error) {
	date, err := osm.Timestamp(ctx, file)
	if err == nil && date.IsZero() {
		err = ErrUndated
	}
	if err != nil {
		return "", fmt.Errorf("extract %s: %w", file, err)
	}
	return date.UTC().Format(time.DateOnly), nil
}
