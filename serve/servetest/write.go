package servetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/pois"
	"quartier/schemas"
)

// Release describes a release to write.
type Release struct {
	Name string // "": "world"
	AsOf string // YYYY-MM-DD; "": "2024-01-01"
	POIs int    // 0: 400

	Outline int // vertices of Canada's outline; 0: a box

	Regions []string // of the manifest; nil: border

	NoAddresses bool // makes a release without a source of addresses

	// Sparse makes a release with one record of most kinds, without optional values: NorthOld, NorthCell and the street
	// at StreetLat.
	Sparse bool
}

// Write writes a release to dir, which is created if it does not exist.
func Write(dir string, r Release) (*schemas.Manifest, error) {
	if r.Name == "" {
		r.Name = "world"
	}
	if r.AsOf == "" {
		r.AsOf = "2024-01-01"
	}
	switch {
	case r.Sparse:
		r.POIs = 1
	case r.POIs == 0:
		r.POIs = 400
	}
	if r.Regions == nil {
		r.Regions = []string{"border"}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	manifest := &schemas.Manifest{
		Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Places, Release: r.Name, AsOf: r.AsOf,
		ToolVersion: "test", Regions: r.Regions,
		Counts: schemas.ReleaseCounts{POIs: int64(r.POIs)},
	}
	if err := writePacks(dir, r, manifest); err != nil {
		return nil, err
	}
	for _, name := range []string{schemas.AccessPack, schemas.AddressesPack, schemas.DemographicsPack, schemas.GeographiesPack,
		schemas.POIsPack, schemas.ProfilesPack, schemas.ReachPack, schemas.SchoolsPack, schemas.SmallAreasPack, schemas.TravelPack} {
		if r.NoAddresses && name == schemas.AddressesPack {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		manifest.Files = append(manifest.Files, schemas.ReleaseFile{Name: name, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))})
	}
	return manifest, WriteManifest(dir, manifest)
}

// WriteManifest writes a manifest with the digest of its content.
func WriteManifest(dir string, m *schemas.Manifest) error {
	digest, err := m.ComputeDigest()
	if err != nil {
		return err
	}
	m.Digest = digest
	data, err := m.Encode()
	if err != nil {
		return err
	}
	beside := filepath.Join(dir, schemas.ManifestFile+".new")
	if err := os.WriteFile(beside, data, 0o644); err != nil {
		return err
	}
	return os.Rename(beside, filepath.Join(dir, schemas.ManifestFile))
}

func writePacks(dir string, r Release, m *schemas.Manifest) error {
	w := fullWorld(r.POIs)
	if r.Sparse {
		w = sparseWorld()
	}
	if r.Outline > 0 {
		w.enlarge(r.Outline)
	}
	for _, p := range []struct {
		name string
		fill func(*pack.Writer, *schemas.Manifest) error
	}{
		{schemas.GeographiesPack, w.writeGeographies},
		{schemas.POIsPack, w.writePOIs},
		{schemas.AccessPack, w.writeStreets},
		{schemas.SmallAreasPack, w.writeSmallAreas},
		{schemas.DemographicsPack, w.writePeople},
		{schemas.SchoolsPack, w.writeSchools},
		{schemas.ProfilesPack, w.writeProfiles},
		{schemas.ReachPack, w.writeReach},
		{schemas.AddressesPack, w.writeAddresses},
	} {
		if r.NoAddresses && p.name == schemas.AddressesPack {
			continue
		}
		if err := writePack(filepath.Join(dir, p.name), func(out *pack.Writer) error { return p.fill(out, m) }); err != nil {
			return err
		}
	}
	return w.writeTravel(dir)
}

func writePack(path string, fill func(*pack.Writer) error) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := fill(out); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return out.Close()
}

func (w *world) writeGeographies(out *pack.Writer, m *schemas.Manifest) error {
	table, err := geographies.NewWriter("")
	if err != nil {
		return err
	}
	defer table.Close()
	levels := map[schemas.Level]int64{}
	for _, r := range w.geographies {
		r.People = w.population(&r)
		if err := table.Add(&r); err != nil {
			return err
		}
		if r.Superseded {
			m.Counts.Superseded++
		} else {
			levels[r.Level]++
		}
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		m.Counts.Geographies = append(m.Counts.Geographies, schemas.LevelCount{Level: level, Rows: levels[level]})
	}
	if err := table.AddCoverage("CA_QC", false, box(-73.5, 45, -71.5, 46)); err != nil {
		return err
	}
	if err := table.AddCoverage("US_VT", false, box(-73.5, 44, -71.5, 45)); err != nil {
		return err
	}
	return table.Finish(out)
}

// population is that by which names rank: of the record, else of the demographics; nil where it is not known.
func (w *world) population(r *geographies.Record) *int64 {
	if r.Population != nil {
		return r.Population
	}
	for _, g := range w.described {
		if value := g.Values[populationTotal]; g.ID == r.ID && value.Present {
			counted := int64(value.Value)
			return &counted
		}
	}
	return nil
}

func (w *world) writePOIs(out *pack.Writer, _ *schemas.Manifest) error {
	table, err := pois.NewWriter("")
	if err != nil {
		return err
	}
	defer table.Close()
	for _, p := range w.pois {
		if err := table.Add(&p); err != nil {
			return err
		}
	}
	table.Describe(w.brands, w.tags)
	for _, ground := range []struct {
		outline orb.MultiPolygon
		unknown string
	}{{box(-73.5, 45, -71.5, 46), ""}, {box(-73.5, 44, -71.5, 45), UnknownSouth}} {
		known := func(list []schemas.Category) []string {
			return slices.DeleteFunc(schemas.CategoryIDs(list), func(id string) bool { return id == ground.unknown })
		}
		if err := table.AddKnown(known(schemas.Categories), known(schemas.BaseCategories), ground.outline); err != nil {
			return err
		}
	}
	return table.Finish(out)
}
