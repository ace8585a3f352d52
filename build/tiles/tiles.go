// Package tiles makes the map of a release: three archives of vector tiles. In go rows, out come ground.pmtiles, the ground in
// the layers of the Shortbread schema (water, land use, streets, buildings, places, borders), tiles.pmtiles, with outlines and
// names of geographies and POIs, and heat.pmtiles, with the scores along the edges of the walking network. Geographies, POIs
// and edges are rows of the SpatiaLite files of the release; the ground is read from the databases of the regions. A region
// that has no ground of its own has the streets, water, rail and parks of its lists there.
//
// Rows are rounded to the grid of the highest zoom, kept in a temporary file by block, and made into tiles block by block on
// all processors, so that memory does not grow with the release. Below the highest zoom areas are simplified by rounding
// their vertices to a coarser grid, which moves what neighbours share to the same places, and lines between their ends.
// decision 61 says why. The same rows give the same bytes.
package tiles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"quartier/internal/pmtiles"
	"quartier/schemas"
	"quartier/schemas/release"
)

// Input is what the map is made of.
type Input struct {
	Dir     string // folder of the SpatiaLite files of the release, and of the archives
	Scratch string // folder for temporary files
	Release release.Release
	Sources []release.Source // whose attributions the metadata have
	Regions []Region
}

// Region are the databases of a region.
type Region struct{ Name, Staged, Derived string }

// Archive is an archive of tiles and how it is made.
type Archive struct {
	File    string
	Reads   []string // files of the release
	Regions bool     // it reads the databases of regions, too
	Share   float64  // of the time of Archives, roughly

	title, kind string // kind: of TileJSON
	lo          uint8  // lowest zoom
	bands       []band
	layers      []layer
	scan        func(*scan) []func(context.Context) error
	count       func(*schemas.ReleaseCounts) *int64
}

// Archives are all of them.
var Archives = []Archive{
	{schemas.GroundFile, []string{schemas.AccessFile, schemas.ProfilesFile}, true, 0.45, // of regions without ground of their own
		"ground", "baselayer", MinZoom, mapBands, groundList, func(s *scan) []func(context.Context) error {
			return []func(context.Context) error{s.groundStreets, s.groundRest, s.groundBuildings}
		}, func(c *schemas.ReleaseCounts) *int64 { return &c.GroundTiles }},
	{schemas.TilesFile, []string{schemas.GeographiesFile, schemas.POIsFile}, false, 0.2,
		"map", "overlay", MinZoom, mapBands, mapLayers, func(s *scan) []func(context.Context) error {
			return []func(context.Context) error{s.outlines, s.pois}
		}, func(c *schemas.ReleaseCounts) *int64 { return &c.Tiles }},
	{schemas.HeatFile, []string{schemas.AccessFile}, false, 0.35,
		"scores", "overlay", MinHeatZoom, heatBands, heatLayers, func(s *scan) []func(context.Context) error {
			return []func(context.Context) error{s.scores}
		}, func(c *schemas.ReleaseCounts) *int64 { return &c.HeatTiles }},
}

// Write writes the archive.
func (a *Archive) Write(ctx context.Context, in Input) error {
	if err := a.write(ctx, &in); err != nil {
		return fmt.Errorf("write %s: %w", a.File, err)
	}
	return nil
}

func (a *Archive) write(ctx context.Context, in *Input) (err error) {
	s, err := newSpool(filepath.Join(in.Scratch, a.File+".features"), a.bands)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	all, scanning := errgroup.WithContext(ctx)
	all.SetLimit(runtime.GOMAXPROCS(0))
	for _, read := range a.scan(&scan{in: in, reads: a.Reads, emit: s.add}) {
		all.Go(func() error { return read(scanning) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	path := filepath.Join(in.Dir, a.File)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	w, err := pmtiles.Create(path)
	if err != nil {
		return err
	}
	defer w.Close()
	for i := range a.bands {
		if err := writeBand(ctx, in, s, i, w); err != nil {
			return err
		}
	}
	d := pmtiles.Description{MinZoom: a.lo, MaxZoom: MaxZoom}
	s.describe(&d)
	if d.Metadata, err = a.metadata(in); err != nil {
		return err
	}
	return w.Finish(d)
}

// describe sets the bounding box of all features, and the view of all of it.
func (s *spool) describe(d *pmtiles.Description) {
	if s.bound.IsEmpty() {
		d.CenterZoom = d.MinZoom
		return
	}
	position := func(p orb.Point) pmtiles.Position {
		p = degrees(p)
		return pmtiles.Position{Lng: int32(math.Round(p[0] * 1e7)), Lat: int32(math.Round(p[1] * 1e7))}
	}
	b := s.bound
	d.Min, d.Max = position(orb.Point{b.Min[0], b.Max[1]}), position(orb.Point{b.Max[0], b.Min[1]})
	d.Center = position(b.Center())
	size := max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], 1)
	for d.CenterZoom = d.MinZoom; d.CenterZoom < d.MaxZoom && 2*extent*unit(d.CenterZoom+1) >= size; d.CenterZoom++ {
	}
}

// metadata is what the archive says of itself, in the form of TileJSON.
func (a *Archive) metadata(in *Input) ([]byte, error) {
	type vectorLayer struct {
		ID          string            `json:"id"`
		Description string            `json:"description"`
		MinZoom     uint8             `json:"minzoom"`
		MaxZoom     uint8             `json:"maxzoom"`
		Fields      map[string]string `json:"fields"`
	}
	m := struct {
		Name         string        `json:"name"`
		Description  string        `json:"description"`
		Type         string        `json:"type"`
		AsOf         string        `json:"as_of"`
		Attribution  string        `json:"attribution"`
		Attributions []string      `json:"attributions"`
		WideZoom     uint8         `json:"wide_zoom,omitempty"` // WideZoom; absent: all zooms go as far
		VectorLayers []vectorLayer `json:"vector_layers"`
	}{
		Name: in.Release.Name, Description: a.title + " of release " + in.Release.Name + " of " + in.Release.AsOf, Type: a.kind,
		AsOf:         in.Release.AsOf,
		Attributions: []string{}, VectorLayers: []vectorLayer{},
	}
	for _, s := range in.Sources {
		if !slices.Contains(m.Attributions, s.Attribution) {
			m.Attributions = append(m.Attributions, s.Attribution)
		}
	}
	m.Attribution = strings.Join(m.Attributions, " | ")
	for _, l := range a.layers {
		if layers[l].wide {
			m.WideZoom = WideZoom
		}
		v := vectorLayer{layers[l].name, layers[l].about, layers[l].min, MaxZoom, map[string]string{}}
		for _, f := range layers[l].fields {
			v.Fields[f.name] = f.kind
		}
		m.VectorLayers = append(m.VectorLayers, v)
	}
	return json.Marshal(m)
}
