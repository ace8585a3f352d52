package release

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/addresses"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/reach"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/smallareas"
	packed "quartier/internal/pack/travel"
	"quartier/internal/pmtiles"
	"quartier/internal/travel"
	"quartier/schemas"
)

// Places is an open component places.
type Places struct {
	Manifest *schemas.Manifest
	Tables
	POIs       *pois.Table
	SmallAreas *smallareas.Table
	Schools    *schools.Table

	Addresses *addresses.Table // nil: the release has none
	Travel    *travel.World    // nil: likewise
	Reach     *reach.Table     // it knows nothing where the release has none

	Archives map[string]*pmtiles.Archive // of tiles, by name: TileArchives; none unless Options.Tiles

	regions regions
	jobs    jobPlaces
}

func readPlaces(dir string) (*component, error) {
	m := new(schemas.Manifest)
	if err := schemas.ReadServed(dir, m, schemas.Places); err != nil {
		return nil, err
	}
	p := &Places{Manifest: m, Reach: &reach.Table{}}
	return &component{
		ComponentRef: schemas.ComponentRef{Digest: m.Digest, AsOf: m.AsOf},
		listed:       m.File, open: p.open, attach: func(r *Release) { r.Places = p },
	}, nil
}

func (p *Places) open(c *component, r *Release) error {
	err := c.openPacks(
		table{schemas.GeographiesPack, p.openGeographies},
		table{schemas.POIsPack, func(f *pack.File) (err error) { p.POIs, err = pois.Open(f); return err }},
		table{schemas.AccessPack, p.openAccess},
		table{schemas.SmallAreasPack, func(f *pack.File) (err error) { p.SmallAreas, err = smallareas.Open(f); return err }},
		table{schemas.DemographicsPack, p.openPeople},
		table{schemas.SchoolsPack, func(f *pack.File) (err error) { p.Schools, err = schools.Open(f); return err }},
		table{schemas.ProfilesPack, p.openProfiles},
	)
	for _, t := range []table{ // that not every release has
		{schemas.AddressesPack, func(f *pack.File) (err error) { p.Addresses, err = addresses.Open(f); return err }},
		{schemas.TravelPack, p.openTravel},
		{schemas.ReachPack, func(f *pack.File) (err error) { p.Reach, err = reach.Open(f); return err }},
	} {
		if _, has := c.listed(t.pack); has && err == nil {
			err = c.openPacks(t)
		}
	}
	if err == nil && r.tiles {
		err = p.openArchives(c, r.noTiles)
	}
	if err != nil {
		return err
	}
	return p.compareCounts()
}

// openTravel opens the timetables and the streets with times, after those on foot.
func (p *Places) openTravel(f *pack.File) (err error) {
	p.Travel, err = packed.OpenWorld(f, p.Access)
	return err
}

// jobPlaces are where jobs are, by index in Places.Reach.
type jobPlaces struct {
	once sync.Once
	at   []coord.Point
}

// JobPlaces are the positions of the nodes with jobs, in the order of Reach.JobNodes. They are found when they are first asked for.
func (p *Places) JobPlaces() []coord.Point {
	p.jobs.once.Do(func() {
		nodes, streets := p.Reach.JobNodes(), p.Access.Snapper()
		p.jobs.at = make([]coord.Point, len(nodes))
		for e := range uint32(streets.Edges()) {
			edge, line := streets.Edge(e), streets.Line(e)
			for end, node := range [2]uint32{edge.A, edge.B} {
				if i, ok := slices.BinarySearch(nodes, node); ok && len(line) > 0 {
					p.jobs.at[i] = line[end*(len(line)-1)]
				}
			}
		}
	})
	return p.jobs.at
}

// TileArchives are the files of tiles, by the names under which they are served.
var TileArchives = map[string]string{"ground": schemas.GroundFile, "map": schemas.TilesFile, "heat": schemas.HeatFile}

// openArchives opens the archives of tiles that the manifest lists; the folder may lack some or not.
func (p *Places) openArchives(c *component, mayLack bool) error {
	p.Archives = map[string]*pmtiles.Archive{}
	for _, name := range slices.Sorted(maps.Keys(TileArchives)) {
		if _, ok := c.listed(TileArchives[name]); !ok {
			continue
		}
		err := c.openFile(TileArchives[name], func(f *os.File) (mapping, error) {
			archive, err := pmtiles.Map(f)
			if err != nil {
				return nil, err
			}
			p.Archives[name] = archive
			return archive, nil
		})
		if err != nil && !(mayLack && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// compareCounts rejects valid packs of another release.
func (p *Places) compareCounts() error {
	counts := &p.Manifest.Counts
	geogs := counts.Superseded
	for _, level := range counts.Geographies {
		geogs += level.Rows
	}
	return compareCounts(
		count{schemas.GeographiesPack, "geographies", p.Geographies.Len(), geogs},
		count{schemas.POIsPack, "pois", p.POIs.Len(), counts.POIs},
		count{schemas.AccessPack, "street nodes", p.Access.Nodes(), counts.StreetNodes},
		count{schemas.AccessPack, "street edges", p.Access.Edges(), counts.StreetEdges},
		count{schemas.AccessPack, "scored geographies", p.Access.Scored(), counts.ScoredGeographies},
		count{schemas.AccessPack, "typologies", p.Access.Cells(), counts.Typologies},
		count{schemas.SmallAreasPack, "small areas", p.SmallAreas.Areas(), counts.SmallAreas},
		count{schemas.DemographicsPack, "described geographies", p.People.Len(), counts.DescribedGeographies},
		count{schemas.SchoolsPack, "schools", p.Schools.Len(), counts.Schools},
		count{schemas.ProfilesPack, "profiles", p.Profiles.Len(), schemas.SumLevels(counts.Profiles)},
		count{schemas.SchoolsPack, "catchments", p.Schools.Catchments(), counts.Catchments},
		count{schemas.AddressesPack, "addresses", p.Addresses.Len(), counts.Addresses},
		count{schemas.AddressesPack, "streets", p.Addresses.Streets(), counts.AddressStreets},
	)
}

// count is a number of records according to a pack and to the manifest.
type count struct {
	pack, what string
	got        int
	want       int64
}

// compareCounts returns an error for the first count that differs.
func compareCounts(counts ...count) error {
	for _, c := range counts {
		if int64(c.got) != c.want {
			return fmt.Errorf("%s has %d %s, %d according to the manifest", c.pack, c.got, c.what, c.want)
		}
	}
	return nil
}
