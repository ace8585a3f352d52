package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/listings"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// listingsKind is the kind of the sources of a listings file.
const listingsKind = "reso"

// HasListings reports whether a source has listings, which `quartier market` takes in and `quartier build` refuses.
func (s *Source) HasListings() bool {
	kind, known := KindOf(s.Kind)
	_, has := kind.(listings.Kind)
	return known && has
}

// IsQuery reports whether a source is the answer of a Web API, which `quartier fetch` writes to its folder page by page.
func (s *Source) IsQuery() bool { return s.URL != "" && s.SHA256 == "" && s.HasListings() }

// NoListings returns the faults of regions to build that have sources of listings.
func NoListings(regions []*Region) (faults Faults) {
	for _, r := range regions {
		for i := range r.Sources {
			if s := &r.Sources[i]; s.HasListings() {
				faults.add(r, s, "kind", fmt.Errorf("%w: listings are no part of a build; take them in with `quartier market --listings`",
					ErrBadRegion))
			}
		}
	}
	return faults
}

// ReadListings reads a listings file (YAML), which is a region file whose sources are all listings; or it returns a region
// of one source for a data file or folder. The error is of type Faults; the region is nil only if it cannot be read at all.
func ReadListings(path string, vars Variables, cache string) (*Region, error) {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".yaml" && ext != ".yml" {
		absolute, err := filepath.Abs(path)
		if err == nil {
			_, err = os.Stat(absolute)
		}
		if err != nil {
			return nil, faultsOf(path, fmt.Errorf("%w: %w", ErrBadRegion, missing(err)))
		}
		return &Region{Name: "listings", Title: filepath.Base(path), Country: "US",
			Sources: []Source{{ID: "listings", Kind: listingsKind, Path: absolute}}}, nil
	}
	region, err := ReadRegion(path, vars, cache)
	if region == nil {
		return nil, err
	}
	var faults Faults
	errors.As(err, &faults)
	for i := range region.Sources {
		s := &region.Sources[i]
		if _, known := KindOf(s.Kind); known && !s.HasListings() {
			faults.add(region, s, "kind", fmt.Errorf("%w: a listings file has sources of kind %s alone, not %s", ErrBadRegion, listingsKind, s.Kind))
		}
	}
	return region, faults.Err()
}

// MaxRejectedListings is the share of rejected rows above which a source of listings without max_rejected is refused.
const MaxRejectedListings = 0.05

// TakeListings takes what is new of the sources of a listings file into work/market.duckdb. The result depends on the files
// alone, not on what work had.
func TakeListings(ctx context.Context, region *Region, work string, accepted []schemas.Acceptance,
	log *slog.Logger) (listings.Changes, error) {
	options := listings.Options{Work: work, Accepted: accepted, Log: log}
	share := float64(MaxRejectedListings)
	for i := range region.Sources {
		s := &region.Sources[i]
		kind, _ := KindOf(s.Kind)
		reader, has := kind.(listings.Kind)
		if !has {
			return listings.Changes{}, fmt.Errorf("%w: source %s: kind %s has no listings", ErrBadRegion, s.ID, s.Kind)
		}
		options.Sources = append(options.Sources, listings.Source{
			ListingSource: staged.ListingSource{SourceID: s.ID, Position: int32(i), AsOf: s.AsOf, Licence: s.Licence, Attribution: s.Attribution,
				URL: source.PublicURL(s.URL)},
			Kind: reader, Input: s.input(region), Settings: s.optionsText(), MaxRejected: cmp.Or(s.MaxRejected, &share),
		})
	}
	changes, err := listings.Take(ctx, options)
	return changes, missing(err)
}

// optionsText is a text of the options of a source and its limits, on which its rows depend.
func (s *Source) optionsText() string {
	only := Source{Options: s.Options, Limits: s.Limits}
	return only.Describe()
}
