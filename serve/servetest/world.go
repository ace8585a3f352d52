// Package servetest writes small releases for tests of the server: an area on both sides of the 45th parallel, with
// Quebec in the north and Vermont in the south, one geography for each rule of look-ups and a few POIs for each rule of
// searches. Only tests and benchmarks import it.
package servetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/pack/access"
	"quartier/internal/pack/addresses"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/profiles"
	"quartier/internal/pack/schools"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
)

// Geographies that tests name.
const (
	Canada      = "g70_canada0000"
	Quebec      = "g60_quebec0000"
	Vermont     = "g60_vermont000"
	Metro       = "g40_frontiere0" // in both countries
	NorthCity   = "g30_nord000000"
	SouthCity   = "g30_sud0000000"
	NorthOld    = "g10_vieuxnord0" // a neighbourhood of NorthCity
	SouthOld    = "g10_oldsouth00" // a neighbourhood of SouthCity
	Replaced    = "g10_replaced00" // superseded by NorthOld
	Gone        = "g10_gone000000" // superseded, without a successor
	OldSouth    = "g10_southern00" // superseded by SouthOld
	FarAway     = "g30_farnorth00" // in Ontario, which has no coverage
	Unpopulated = "g10_wild000000" // in Quebec, without POIs

	UnknownSouth = "pet_care" // a category that is known in Quebec and not in Vermont
	HostileName  = `L'Île <b>"d'Or"</b> & Cie`
	NorthLat     = 45.2
	SouthLat     = 44.8
	Lng          = -72.8
	UncoveredLat = 10.0

	SupersededSince = "2023-06-01" // of Replaced and OldSouth; that of Gone is not known
)

func box(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

var northCity = &geographies.Ref{ID: NorthCity, Name: schemas.Text{EN: "Northville", FR: "Villenord"}}
var southCity = &geographies.Ref{ID: SouthCity, Name: schemas.Text{EN: "Southville", FR: "Southville"}}
var metro = &geographies.Ref{ID: Metro, Name: schemas.Text{EN: "Borderland", FR: "Frontière"}}

// place is a record with the fields that follow from its outline.
func place(id string, level schemas.Level, en, fr string, states []string, outline orb.MultiPolygon) geographies.Record {
	country := "CA"
	if len(states) > 0 {
		country = states[0][:2]
	}
	bound := outline.Bound()
	return geographies.Record{
		ID: id, Level: level, Name: schemas.Text{EN: en, FR: fr}, CountryCode: country, StateCodes: states,
		AreaM2: math.Round(geo.Area(outline)*10) / 10, BBox: bound, Centroid: bound.Center(), Geometry: outline,
	}
}

// Above is what contains the cities of a state and what is smaller, by state, the lowest level first.
var Above = map[string][]string{
	"CA_QC": {Borough, NorthCity, "g37_missisquoi", "g38_estrie0000", Metro, Quebec, Canada},
	"US_VT": {SouthCity, "g35_southtown0", Metro, Vermont, "g70_unitedstat"},
}

// above are the parents of a city, or of what is smaller.
func above(r *geographies.Record) []string {
	all := Above[r.StateCodes[0]]
	return all[slices.IndexFunc(all, func(id string) bool {
		level, _ := schemas.LevelOfGeogID(id)
		return level > r.Level
	}):]
}

// world is the content of a release.
type world struct {
	geographies  []geographies.Record
	pois         []pois.Record
	brands, tags []pois.Term
	streets      []street
	scored       []scored
	cells        []cell
	areas        []smallArea
	described    []people.Geography
	schools      []schools.Record
	addresses    []addresses.Record
	profiles     []profiled
}

func fullWorld(poiCount int) *world {
	return &world{
		geographies: records(),
		pois:        points(poiCount),
		brands:      []pois.Term{{ID: "maple_cup", Label: schemas.Text{EN: "Maple Cup", FR: "Tasse d'érable"}}},
		tags: []pois.Term{{ID: "chain", Label: schemas.Text{EN: "Chain", FR: "Chaîne"}},
			{ID: "coffee", Label: schemas.Text{EN: "Coffee", FR: "Café"}}},
		streets: streets(),
		scored:  scoredGeographies(),
		cells: []cell{
			{SouthCell, access.Typology{Class: 8}},
			{NorthCell, access.Typology{Class: 1, PopulationKM2: 2345.6, HouseholdsKM2: 1000}},
		},
		areas:     []smallArea{areaOf("CA_QC", NorthLat, NorthPeople), areaOf("US_VT", SouthLat, SouthPeople)},
		described: described(),
		schools:   schoolsOfWorld(),
		addresses: addressesOfWorld(),
		profiles:  profilesOfWorld(),
	}
}

// sparseWorld has one score, one measure, the population of a small area and one variable of a geography.
func sparseWorld() *world {
	const quiet, steepness = 12, 40 // in schemas.Scores and schemas.Measures
	w := &world{
		geographies: []geographies.Record{
			place(NorthOld, schemas.Neighbourhood, "Old North", "Vieux-Nord", []string{"CA_QC"}, box(-72.9, 45.15, -72.7, 45.26)),
			place(SouthOld, schemas.Neighbourhood, "Old South", "Vieux-Sud", []string{"US_VT"}, box(-72.9, 44.75, -72.7, 44.85)),
			place(Canada, schemas.Country, "Canada", "Canada", nil, box(-80, 45, -65, 50)),
		},
		pois: []pois.Record{{Key: "poi", Name: "P", Lng: Lng, Lat: NorthLat, Categories: []string{"cafes"},
			BaseCategories: []string{"cafes"}, Country: "Canada", RegionCode: "CA_QC"}},
		streets:   streets()[:1],
		scored:    scoredGeographies()[1:2],
		cells:     []cell{{NorthCell, access.Typology{Class: 8}}},
		areas:     []smallArea{{region: "CA_QC", lat: NorthLat, values: areaOf("CA_QC", NorthLat, NorthPeople).values[:1]}},
		described: described()[1:2],
		addresses: sparseAddresses(),
		schools:   []schools.Record{school("S", "CA", "QC", NorthLat, 300, derived.SchoolDetails{Levels: "secondary"})},
		profiles: []profiled{{NorthOld, profiles.Sentences{profile.Summary: {"Old North is quiet."}},
			profiles.Sentences{profile.Summary: {"Le Vieux-Nord est calme."}}}},
	}
	for end := range w.streets[0].values {
		for c := range w.streets[0].values[end] {
			if c != steepness && c != int(schemas.FirstScore)+quiet {
				w.streets[0].values[end][c] = schemas.AbsentValue
			}
		}
	}
	for score := range w.scored[0].values {
		if score != quiet {
			w.scored[0].values[score] = schemas.AbsentValue
		}
	}
	for i := range w.described[0].Values[1:] {
		w.described[0].Values[1+i] = people.Value{}
	}
	w.described[0].Values[0].Interval = false
	return w
}

// records lists the geographies of the world.
func records() []geographies.Record {
	quebec, vermont := []string{"CA_QC"}, []string{"US_VT"}
	within := func(r geographies.Record, city *geographies.Ref) geographies.Record {
		r.City, r.Metro, r.Parents = city, metro, above(&r)
		return r
	}
	old := within(place(Replaced, schemas.Neighbourhood, "Old North", "Vieux-Nord", quebec, box(-72.9, 45.15, -72.7, 45.25)), northCity)
	old.Superseded, old.Since, old.ReplacedBy = true, SupersededSince, NorthOld
	gone := within(place(Gone, schemas.Neighbourhood, "Drowned Quarter", "Quartier noyé", quebec, box(-72.9, 45.1, -72.8, 45.15)), northCity)
	gone.Superseded = true
	southern := within(place(OldSouth, schemas.Neighbourhood, "South", "Sud", vermont, box(-72.9, 44.75, -72.7, 44.84)), southCity)
	southern.Superseded, southern.Since, southern.ReplacedBy = true, SupersededSince, SouthOld
	states := place("g70_unitedstat", schemas.Country, "United States", "États-Unis", nil, box(-80, 40, -65, 45))
	states.CountryCode = "US"
	population := int64(50000)
	north := within(place(NorthCity, schemas.Municipality, "Northville", "Villenord", quebec, box(-73, 45.1, -72.6, 45.3)), northCity)
	north.Population = &population
	return []geographies.Record{
		old, gone, southern, north, states,
		within(place(NorthOld, schemas.Neighbourhood, "Old North", "Vieux-Nord", quebec, box(-72.9, 45.15, -72.7, 45.26)), northCity),
		within(place(SouthOld, schemas.Neighbourhood, "Old South", "Vieux-Sud", vermont, box(-72.9, 44.75, -72.7, 44.85)), southCity),
		within(place(Borough, schemas.Borough, HostileName, HostileName, quebec, box(-72.95, 45.12, -72.65, 45.28)), northCity),
		within(place(SouthCity, schemas.Municipality, "Southville", "Southville", vermont, box(-73, 44.7, -72.6, 44.9)), southCity),
		place("g32_j0j0000000", schemas.PostalArea, "J0J", "J0J", quebec, box(-73, 45.05, -72.6, 45.35)),
		place("g32_0500100000", schemas.PostalArea, "05001", "05001", vermont, box(-73, 44.65, -72.6, 44.95)),
		place("g35_southtown0", schemas.CountySubdivision, "South Town", "South Town", vermont, box(-73.1, 44.6, -72.5, 44.95)),
		place("g37_missisquoi", schemas.County, "Missisquoi", "Missisquoi", quebec, box(-73.2, 45, -72.4, 45.5)),
		place("g38_estrie0000", schemas.Region, "Eastern Townships", "Estrie", quebec, box(-73.4, 45, -71.6, 45.8)),
		place(Metro, schemas.Metro, "Borderland", "Frontière", []string{"CA_QC", "US_VT"}, box(-73.1, 44.6, -72.5, 45.41)),
		place(Quebec, schemas.State, "Quebec", "Québec", quebec, box(-73.5, 45, -71.5, 46)),
		place(Vermont, schemas.State, "Vermont", "Vermont", vermont, box(-73.5, 44, -71.5, 45)),
		place(Canada, schemas.Country, "Canada", "Canada", nil, box(-80, 45, -65, 50)),
		place(FarAway, schemas.Municipality, "Far North", "Grand-Nord", []string{"CA_ON"}, box(-78, 47, -77, 48)),
		place(Unpopulated, schemas.Neighbourhood, "Wilderness", "Nature", quebec, box(-71.9, 45.7, -71.7, 45.9)),
	}
}

// enlarge gives Canada an outline of n vertices with a coast: about 28 bytes of JSON each.
func (w *world) enlarge(n int) {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	ring := make(orb.Ring, 0, n+1)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		far := 1 - 0.01*random.Float64()
		ring = append(ring, orb.Point{-72.5 + 7.5*far*cos, 47.5 + 2.5*far*sin})
	}
	at := slices.IndexFunc(w.geographies, func(r geographies.Record) bool { return r.ID == Canada })
	states := w.geographies[at].StateCodes
	w.geographies[at] = place(Canada, schemas.Country, "Canada", "Canada", states, orb.MultiPolygon{{append(ring, ring[0])}})
}

// points lists n POIs, alternately in the north and in the south, each a little farther from the middle of its city than
// the previous one there.
func points(n int) []pois.Record {
	var out []pois.Record
	for i := range n {
		category := schemas.Categories[i%len(schemas.Categories)].ID
		p := pois.Record{
			Key: fmt.Sprintf("poi%07d", i), Name: fmt.Sprintf("Place %d", i), Lng: Lng + 0.0004*float64(i%97)/(1+float64(i)/5000),
			Categories: []string{category}, Brands: []string{}, Tags: []string{}, City: "Northville", State: "QC",
			Country: "Canada", RegionCode: "CA_QC", Lat: NorthLat + 0.0003*float64(i%89)/(1+float64(i)/5000),
		}
		if i%2 == 1 {
			p.City, p.State, p.Country, p.RegionCode, p.Lat = "Southville", "VT", "United States", "US_VT", p.Lat-NorthLat+SouthLat
		}
		if _, ok := schemas.BaseCategoryIndex(category); ok {
			p.BaseCategories = []string{category}
		}
		decorate(&p, i)
		out = append(out, p)
	}
	return out
}

// decorate fills the optional fields of some POIs.
func decorate(p *pois.Record, i int) {
	if i%3 == 0 {
		p.Address, p.PostalCode, p.Phone = fmt.Sprintf("%d, rue Principale", i), "J0J 1J0", "+1 450 555 0100"
		p.OpeningHours = "Mo-Fr 08:00-18:00"
	}
	if i%5 == 0 {
		p.Brands, p.Tags = []string{"maple_cup"}, []string{"chain"}
		p.Wheelchair = []string{"yes", "limited", "no"}[i/5%3]
	}
	if i%7 == 0 {
		p.Tags = append(p.Tags, "coffee")
		p.Categories = []string{p.Categories[0], "common_needs"}
		p.URL, p.Suite = "https://example.org/?a=1&b=<2>", "4B"
	}
	if p.Categories[len(p.Categories)-1] == p.Categories[0] {
		p.Categories = p.Categories[:1]
	}
	if i == 0 {
		p.Name = HostileName
	}
}
