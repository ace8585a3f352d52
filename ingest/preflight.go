package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// Preflight checks the sources of regions before any row is read: files and their sha256, options, vocabularies and
// headers, sources that need each other, and mod_spatialite, with which outlines are repaired. It returns the snapshots of
// each region's sources, with all faults, or the error of ctx.
func Preflight(ctx context.Context, regions []*Region) (map[*Region][]Snapshot, Faults, error) {
	type result struct {
		snapshot Snapshot
		faults   Faults
	}
	results := map[*Source]*result{}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, region := range regions {
		for i := range region.Sources {
			s, r := &region.Sources[i], &result{}
			results[s] = r
			group.Go(func() (err error) {
				r.snapshot, err = r.faults.source(groupCtx, region, s)
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var faults Faults
	snapshots := map[*Region][]Snapshot{}
	for _, region := range regions {
		for i := range region.Sources {
			r := results[&region.Sources[i]]
			snapshots[region] = append(snapshots[region], r.snapshot)
			faults = append(faults, r.faults...)
		}
		faults.links(region)
	}
	if kernel, err := spatialite.NewKernel(); err != nil {
		faults = append(faults, Fault{Err: err})
	} else {
		kernel.Close()
	}
	return snapshots, faults, nil
}

// source checks one source. The error is that of ctx.
func (f *Faults) source(ctx context.Context, region *Region, s *Source) (Snapshot, error) {
	kind, known := KindOf(s.Kind)
	if s.Path == "" || !known {
		return Snapshot{}, nil // faults of the region file
	}
	snapshot, err := TakeSnapshot(ctx, s.Path)
	switch {
	case ctx.Err() != nil:
		return Snapshot{}, ctx.Err()
	case errors.Is(err, fs.ErrNotExist) && s.URL != "":
		f.add(region, s, "url", fmt.Errorf("%s is not downloaded; download it with `quartier fetch`: %w", s.Path, err))
	case err != nil:
		f.add(region, s, "path", err)
	case s.SHA256 != "" && s.SHA256 != snapshot.SHA256:
		f.add(region, s, "sha256", fmt.Errorf("%w: %s has sha256 %s, but %s is declared", ErrInputChanged, s.Path, snapshot.SHA256, s.SHA256))
	}
	found := err == nil
	if counted, has := kind.(source.Counted); has && found {
		snapshot.Rows = counted.Rows(ctx, s.input(region))
	}
	err = kind.Check(ctx, s.input(region))
	if ctx.Err() != nil {
		return Snapshot{}, ctx.Err()
	}
	for _, fault := range source.Flatten(err) {
		known := !found && errors.Is(fault, fs.ErrNotExist) || errors.Is(fault, spatialite.ErrUnavailable) // once for all sources
		if !known {
			f.addCheck(region, s, missing(fault))
		}
	}
	return snapshot, nil
}

// input is the source for its kind.
func (s *Source) input(region *Region) source.Input {
	in := source.Input{Source: s.ID, Path: s.Path, Country: region.Country, State: region.State, Options: s.Options, Limits: s.Limits}
	for _, id := range s.With {
		if other := region.source(id); other != nil {
			in.With = append(in.With, other.Path)
		}
	}
	return in
}

// links finds sources that need one of another kind, which the region does not have: outlines of small areas without their tables
// could not be described, and jobs of areas without outlines would all be left out.
func (f *Faults) links(region *Region) {
	tables, outlines := map[string]bool{}, false
	for i := range region.Sources {
		kind, _ := KindOf(region.Sources[i].Kind)
		if t, has := kind.(source.Tables); has {
			for _, scheme := range t.Tables(region.Sources[i].input(region)) {
				tables[scheme] = true
			}
		}
		outlines = outlines || kind != nil && slices.ContainsFunc(kind.Info().Yields, func(table string) bool {
			return table == "block" || table == "zone"
		})
	}
	for i := range region.Sources {
		s := &region.Sources[i]
		kind, _ := KindOf(s.Kind)
		if areas, has := kind.(source.Areas); has {
			if scheme := areas.Areas(s.input(region)); scheme != "" && !tables[scheme] {
				f.add(region, s, "kind",
					fmt.Errorf("%w: no source of the region has tables of %s: add one of kind acs or census-profile, or remove the outlines",
						ErrBadRegion, scheme))
			}
		}
		if rows, has := kind.(source.OfAreas); has && !outlines && rows.OfAreas(s.input(region)) {
			f.add(region, s, "kind", fmt.Errorf("%w: its rows are of census areas, whose outlines no source of the region has: add one of kind "+
				"blocks or zones of the same census", ErrBadRegion))
		}
	}
}
