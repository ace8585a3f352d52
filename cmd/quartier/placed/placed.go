// Package placed takes a place from its name to a published release. It writes the region file of what public sources have,
// fetches them, builds without those that cannot be had or used, and says what came of it, and what lacks and why.
//
// A run that was interrupted is continued by another one: the region file and what was fetched are kept, and steps of the build
// that ended are reused.
package placed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"quartier/build/publish"
	"quartier/cmd/quartier/fetching"
	"quartier/cmd/quartier/pipeline"
	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/regionfile"
	"quartier/schemas"
)

// ErrNothing is the error of a place of which no source can be had.
var ErrNothing = errors.New("no source of the place could be had")

// ErrOther is the error of a folder that has the region file of another place.
var ErrOther = errors.New("has the region file of another place")

// Run is a place and a folder for all that is made of it.
type Run struct {
	Dir   string
	Name  string                                       // of the region
	Write func(ctx context.Context, file string) error // writes the region file, where there is none
	Read  func(file string) (*ingest.Region, error)    // reads it; its sources may lack a sha256
	Fetch *fetching.Run                                // without regions
	Build func(region *ingest.Region) *pipeline.Build  // of the release of the run
	Out   io.Writer

	Drop string // the folder of files that a person puts there

	without []Without
}

// Without is a source that the release lacks.
type Without struct {
	ID, Why string
	Err     error
}

// RegionFile is the region file, Releases the folder of the published release, Release its folder, and Work that of the build.
func (r *Run) RegionFile() string { return filepath.Join(r.Dir, "region.yaml") }
func (r *Run) Releases() string   { return filepath.Join(r.Dir, "releases") }
func (r *Run) Release() string    { return filepath.Join(r.Releases(), "places") }
func (r *Run) Work() string       { return filepath.Join(r.Dir, "work") }

// Do makes and publishes the release.
func (r *Run) Do(ctx context.Context) error {
	if err := r.writeRegion(ctx); err != nil {
		return err
	}
	region, err := r.region()
	if err != nil {
		return err
	}
	if err := r.fetch(ctx, region); err != nil {
		return err
	}
	if region, err = r.fetched(); err != nil {
		return err
	}
	if err := r.build(ctx, region); err != nil {
		return err
	}
	if _, err := publish.Pointer(r.Releases(), publish.Set{Places: r.Release()}); err != nil {
		return err
	}
	manifest, err := schemas.ReadManifest(r.Release())
	if err != nil {
		return err
	}
	return r.conclude(manifest, region)
}

// writeRegion writes the region file, unless there is one.
func (r *Run) writeRegion(ctx context.Context) error {
	if _, err := os.Stat(r.RegionFile()); err == nil {
		_, err := fmt.Fprintf(r.Out, "%s is there, and used as it is.\n\n", r.RegionFile())
		return err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return err
	}
	return r.Write(ctx, r.RegionFile())
}

// region reads the region file and says what it will give, and what that takes.
func (r *Run) region() (*ingest.Region, error) {
	region, err := r.Read(r.RegionFile())
	if err != nil {
		return nil, err
	}
	if region.Name != r.Name {
		return nil, fmt.Errorf("%s %w, %s: give another --out", r.Dir, ErrOther, region.Name)
	}
	items := regionfile.ItemsOf(region)
	if err := regionfile.WriteReport(r.Out, items, nil); err != nil {
		return nil, err
	}
	return region, r.needs(region, items)
}

// fetch gets what can be had.
func (r *Run) fetch(ctx context.Context, region *ingest.Region) error {
	r.Fetch.Regions, r.Fetch.Pin = []*ingest.Region{region}, true
	results, err := r.Fetch.Do(ctx)
	if err := errors.Join(context.Cause(ctx), fetching.Table(r.Out, results)); err != nil {
		return err
	}
	if errors.Is(err, fetch.ErrDigest) || errors.Is(err, syscall.ENOSPC) || err != nil && !errors.Is(err, fetching.ErrLacking) {
		return err
	}
	for _, result := range results {
		if result.Err != nil {
			r.without = append(r.without, Without{result.Source.ID, strings.TrimPrefix(fetching.State(result), "lacks: "), result.Err})
		}
	}
	return nil
}

// fetched is the region with the sources that are here.
func (r *Run) fetched() (*ingest.Region, error) {
	region, err := r.Read(r.RegionFile())
	if err != nil {
		return nil, err
	}
	r.remove(region)
	if len(region.Sources) == 0 {
		return nil, fmt.Errorf("%w; %w", ErrNothing, r.reasons())
	}
	return region, nil
}

// remove removes the sources that the release lacks.
func (r *Run) remove(region *ingest.Region) {
	region.Sources = slices.DeleteFunc(region.Sources, func(s ingest.Source) bool {
		return slices.ContainsFunc(r.without, func(w Without) bool { return w.ID == s.ID })
	})
}

func (r *Run) reasons() error {
	var all []error
	for _, w := range r.without {
		all = append(all, w.Err)
	}
	return errors.Join(all...)
}

// build builds the release. A source that cannot be used is left out, and collapsed scales of scores are taken as they are, since
// nobody looks at the region file in between; both are said at the end.
func (r *Run) build(ctx context.Context, region *ingest.Region) error {
	accept := map[string]string{}
	for _, score := range schemas.ScoreIDs() {
		accept[score] = cmp.Or(region.AcceptCollapsed[score], "quartier place takes scales as they are")
	}
	region.AcceptCollapsed = accept
	for {
		err := r.Build(region).Run(ctx, nil)
		bad := unusable(err)
		if err == nil || ctx.Err() != nil || len(bad) == 0 {
			return err
		}
		r.without = append(r.without, bad...)
		before := len(region.Sources)
		if r.remove(region); len(region.Sources) == 0 || len(region.Sources) == before {
			return err
		}
		for _, w := range bad {
			if _, err := fmt.Fprintf(r.Out, "\nsource %s cannot be used, and the build goes on without it: %v\n\n", w.ID, w.Why); err != nil {
				return err
			}
		}
	}
}

// unusable are the sources at which a build failed; nil if it did not fail at sources alone.
func unusable(err error) (list []Without) {
	if errors.Is(err, ingest.ErrInputChanged) || errors.Is(err, ingest.ErrChangedMeanwhile) || errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	var failed *ingest.Failed
	if errors.As(err, &failed) {
		return []Without{{failed.Source, failed.Err.Error(), err}}
	}
	var faults ingest.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		if f.Source == "" {
			return nil
		}
		list = append(list, Without{f.Source, f.Err.Error(), f})
	}
	return list
}
