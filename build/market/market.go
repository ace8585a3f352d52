// Package market makes the component market: market.pack for the server, market.sqlite and market.parquet for analysis, the same
// of the closed months and quarters of each year in files of their own, and its manifest, from a stream of statistics. The same
// statistics and sources give the same bytes.
package market

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/build/files"
	"quartier/build/publish"
	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	marketpack "quartier/internal/pack/market"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/release"
)

// Options are what a component is made of.
type Options struct {
	Out         string // folder of the component; a component market in it is replaced
	Places      string // folder of the component places or private beside which it stands
	Day         market.Day
	ToolVersion string
	Sources     []release.Source // without region, as the listings file has them
	Issues      []release.Issue  // of sources, step released.IngestStep

	// Work is the folder in which the component is kept for the next day, which copies what did not change; "": none.
	Work string

	// Compute passes the statistics of each geography to emit, by ascending geography, and does not use them after that. If
	// there is a component of an earlier day, cells that are not computed are those of that day.
	Compute func(ctx context.Context, earlier market.Day, emit func(market.Statistics) error) (Summary, error)
}

// Summary is what is known when all statistics are computed.
type Summary struct {
	Listings int64           // found in a geography
	States   []string        // with listings, "US_OR", sorted
	Issues   []release.Issue // of the computation
	Notes    []string
}

// component is a component in the making.
type component struct {
	Options
	dir        string
	name       string // schemas.Market or schemas.PrivateMarket
	places     string // digest of the component that it stands beside
	table      *geographies.Table
	zones      []string
	intervals  []market.Interval
	volumes    []volume
	earlier    *kept  // component of an earlier day; nil: none
	computed   []bool // of an interval: some of its cells are not those of the earlier day
	same       []int  // years whose files are those of the earlier day
	sections   map[string]sums
	provenance released.Provenance
	summary    Summary
	counts     schemas.MarketCounts
}

// ErrNoListings is returned for a component market where no listing is in a geography of the release.
var ErrNoListings = errors.New("no listing is in a geography of the release")

// Write makes the component at o.Out and returns its manifest. If it fails or is killed, what was at o.Out before stays
// there. It fails with publish.ErrExists where o.Out is anything but a component market or an empty folder, and
// publish.ErrBusy where another run writes it.
func Write(ctx context.Context, o Options) (*schemas.MarketManifest, error) {
	name, places, err := Beside(o.Places)
	if err != nil {
		return nil, err
	}
	if err := checkReplaceable(o.Out, name); err != nil {
		return nil, err
	}
	dir, err := publish.Open(publish.Target{Out: o.Out, Force: true, Secret: name == schemas.PrivateMarket}, publish.OS)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	c := &component{Options: o, name: name, places: places, dir: dir.Release(), intervals: market.Intervals(o.Day),
		sections: map[string]sums{}}
	c.volumes, c.computed = volumesOf(c.intervals), make([]bool, len(c.intervals))
	if kept := openKept(o.Work, o.ToolVersion); kept != nil {
		defer kept.close()
		c.earlier = kept
	}
	m, err := c.make(ctx, dir)
	if c.earlier != nil && errors.Is(err, marketpack.ErrEarlier) {
		c.earlier = nil // all is computed
		m, err = c.make(ctx, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("write market statistics: %w", files.NameDiskFull(err))
	}
	if err := c.keep(m); err != nil {
		return nil, fmt.Errorf("market statistics are written, but not kept for the next day: %w", files.NameDiskFull(err))
	}
	return m, nil
}

// Beside returns which component has the statistics of the geographies in dir, places or private, and the digest of those. They may
// be of an earlier layout that is still served, so that an upgrade of the program ends no daily run.
func Beside(dir string) (component, digest string, err error) {
	of, err := schemas.ReadHead(dir)
	if err == nil {
		err = of.Served()
	}
	if err != nil {
		return "", "", err
	}
	component = map[string]string{schemas.Places: schemas.Market, schemas.Private: schemas.PrivateMarket}[of.Component]
	if component == "" {
		return "", "", fmt.Errorf("%s is a component %s, beside which no market statistics stand", dir, of.Component)
	}
	return component, of.Digest, nil
}

// checkReplaceable fails where there is another component than that of a name.
func checkReplaceable(out, name string) error {
	if of, err := schemas.ComponentOf(out); err == nil && of != name {
		return fmt.Errorf("%s %w and is not a component %s; it is not replaced", out, publish.ErrExists, name)
	}
	return nil
}

// make writes the files and puts them in place.
func (c *component) make(ctx context.Context, dir *publish.Dir) (*schemas.MarketManifest, error) {
	file, err := pack.Open(filepath.Join(c.Places, schemas.GeographiesPack))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if c.table, err = geographies.Open(file); err != nil {
		return nil, err
	}
	c.zones = marketpack.Zones(c.table)
	if err := c.writeFiles(ctx); err != nil {
		return nil, err
	}
	m, err := c.manifest(ctx)
	if err != nil {
		return nil, err
	}
	data, err := m.Encode()
	if err == nil {
		err = dir.WriteFile(schemas.ManifestFile, data)
	}
	if err == nil {
		err = dir.Flush()
	}
	if err == nil {
		err = dir.Publish()
	}
	return m, err
}

// writeFiles computes the statistics into packs, links the files of years that are those of the earlier day, and writes the
// other ones from the packs.
func (c *component) writeFiles(ctx context.Context) error {
	if err := c.writePacks(ctx); err != nil {
		return err
	}
	for _, year := range c.same {
		if err := c.earlier.link(year, c.dir); err != nil {
			return err
		}
	}
	c.provenance = released.Provenance{
		Release: release.Release{Name: c.name, AsOf: c.Day.String(), ToolVersion: c.ToolVersion},
		Sources: c.Sources, Issues: sorted(slices.Concat(c.Issues, c.summary.Issues)),
	}
	cells, closeCells, err := marketpack.OpenFolder(c.dir)
	defer closeCells()
	if err != nil {
		return err
	}
	return c.writeRows(ctx, cells)
}

// writePacks computes the statistics and writes their packs.
func (c *component) writePacks(ctx context.Context) error {
	header, earlier := marketpack.Header{Day: c.Day, Zones: c.zones}, market.NoDay
	if c.earlier != nil {
		earlier = c.earlier.cells.Day()
		header.Earlier, header.Keep = c.earlier.cells, c.earlier.whole
	}
	writer, err := marketpack.NewWriter(c.dir, header)
	if err != nil {
		return err
	}
	defer writer.Abort()
	// Computing goes on while cells are written.
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan *market.Statistics, 64)
	group.Go(func() error {
		added := 0
		for s := range queue {
			if err := writer.Add(s); err != nil {
				return err
			}
			if added++; c.earlier != nil && added%geographiesInMemory == 0 {
				if err := c.earlier.cells.Forget(); err != nil {
					return err
				}
			}
			for n := range c.computed {
				c.computed[n] = c.computed[n] || s.Computed == nil || s.Computed[n]
			}
		}
		return nil
	})
	group.Go(func() (err error) {
		defer close(queue)
		c.summary, err = c.Compute(ctx, earlier, func(s market.Statistics) error {
			select {
			case queue <- &s:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	if c.summary.Listings == 0 && c.name == schemas.Market {
		return ErrNoListings
	}
	debug.FreeOSMemory() // of the listings; the packs are mapped next
	c.same, err = writer.Finish(c.summary.States)
	c.counts = schemas.MarketCounts{Listings: c.summary.Listings, Geographies: writer.Geographies, Cells: writer.Cells}
	return err
}

// manifest describes the files.
func (c *component) manifest(ctx context.Context) (*schemas.MarketManifest, error) {
	m := &schemas.MarketManifest{
		Schema: schemas.ManifestSchema, Component: c.name, AsOf: c.Day.String(), ToolVersion: c.ToolVersion,
		Places: c.places, States: c.summary.States, Sources: c.provenance.ManifestSources(), Steps: c.provenance.ManifestSteps(),
		Counts: c.counts, Notes: c.summary.Notes,
	}
	names := m.Names()
	m.Files = make([]schemas.ReleaseFile, len(names))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n, name := range names {
		if c.isSame(name) {
			m.Files[n] = c.earlier.Files[name].ReleaseFile
			continue
		}
		group.Go(func() (err error) {
			m.Files[n], err = released.Describe(ctx, filepath.Join(c.dir, name), name)
			return err
		})
	}
	err := group.Wait()
	if err != nil {
		return nil, err
	}
	if m.Digest, err = m.ComputeDigest(); err != nil {
		return nil, err
	}
	return m, m.Check()
}

// isSame reports whether a file is that of the earlier day.
func (c *component) isSame(name string) bool {
	return slices.ContainsFunc(c.same, func(year int) bool { return slices.Contains(yearFiles(year), name) })
}
