// Package enrich answers for many points at once, in process: for each of them the columns that were chosen, of the products
// of the API. It reads a release by the same readers and product code as the server, so that a value is the server's to the
// digit, and writes typed columns instead of JSON.
//
// A group of columns is a file of this package and a line of groups. It declares its columns, and fills them place by place.
package enrich

import (
	"fmt"
	"slices"

	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/release"
	"quartier/serve/scope"
)

// group is columns that one product fills.
type group struct {
	name, doc string
	product   string // of agreements; "": none
	open      func(*Enricher) (part, error)
	shapes    func(*Enricher) (part, error) // in place of open where rows are shapes
}

// groups are those that can be chosen, in the order of their columns.
var groups = []group{
	{"scores", "The 18 location scores, unrounded", "scores", openScores, nil},
	{"medians", "Of a shape, the scores of its median household", "scores", nil, openShapeMedians},
	{"measures", "The 45 measures that scores are made of", "snapshot", openMeasures, nil},
	{"typology", "The built environment of the geohash-7 cell", "typologies", openTypology, nil},
	{"geographies", "The smallest geography of each level", "geographies", openGeographies, nil},
	{"pois", "How many points of interest are within a radius or in a shape, by category", "pois", openPOIs, openShapePOIs},
	{"nearest", "The nearest points of interest of categories; in a shape those nearest to its centroid", "pois", openNearest,
		openShapeNearest},
	{"demographics", "The people around, or in a shape", "demographics", openDemographics, openShapeDemographics},
	{"market", "Statistics of listings and sales in the geographies around", "market_stats", openMarket, nil},
	{"schools", "The nearest primary and high school", "schools", openSchools, nil},
}

// Groups are the names of the groups with a sentence on each.
func Groups() (list [][2]string) {
	for _, g := range groups {
		list = append(list, [2]string{g.name, g.doc})
	}
	return list
}

// GroupsOf are the names of the groups that rows with shapes have, or those with points.
func GroupsOf(shapes bool) (names []string) {
	for _, g := range groups {
		if shapes && g.shapes != nil || !shapes && g.open != nil {
			names = append(names, g.name)
		}
	}
	return names
}

// part is the columns of a group as they were chosen.
type part struct {
	columns []Column
	filler  func() filler // for one goroutine
	places  bool          // the API answers 204 where nothing is known
}

// filler fills the columns of a part.
type filler interface {
	// fill sets item k of each column, which is absent before. It reports whether anything is known of the place, by the
	// rules of the API's 204.
	fill(at *place, k int, out []vector) bool
}

// Enricher answers for the points of a release. Its workers can be used at the same time.
type Enricher struct {
	release *release.Release
	choice  Choice
	parts   []part
	client  Client
}

// Client is who asks: the zero value is the operator, who sees everything but private geographies.
type Client struct {
	Customer string   // whose private geographies are seen; "": none
	Regions  []string // of the agreement; nil: everywhere
	Products []string // of the agreement; nil: all
	Scores   []string // of the agreement; nil: all
}

// New prepares columns of a release. The error wraps ErrChoice where the release or the agreement does not have them.
func New(from *release.Release, choice Choice, client Client) (*Enricher, error) {
	choice, err := choice.Complete()
	if err != nil {
		return nil, err
	}
	e := &Enricher{release: from, choice: choice, client: client}
	if err := e.checkAddresses(); err != nil {
		return nil, err
	}
	for _, name := range choice.Add {
		if !slices.ContainsFunc(groups, func(g group) bool { return g.name == name }) {
			return nil, badChoice("add: %q is none of %s", name, listed(groupNames()))
		}
		if of := GroupsOf(choice.Shapes); !slices.Contains(of, name) && choice.Shapes {
			return nil, badChoice("add: %s cannot be had for a shape, only for a point; shapes have %s", name, listed(of))
		} else if !slices.Contains(of, name) {
			return nil, badChoice("add: %s can be had for shapes alone; points have %s", name, listed(of))
		}
	}
	for _, g := range groups {
		if !slices.Contains(choice.Add, g.name) {
			continue
		}
		if client.Products != nil && !slices.Contains(client.Products, g.product) {
			return nil, badChoice("the agreement of %s does not include %s", client.Customer, g.product)
		}
		open := g.open
		if choice.Shapes {
			open = g.shapes
		}
		p, err := open(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
		for i := range p.columns {
			p.columns[i].Group = g.name
		}
		e.parts = append(e.parts, p)
	}
	return e, nil
}

func groupNames() (names []string) {
	for _, g := range groups {
		names = append(names, g.name)
	}
	return names
}

// Columns are the columns that are added: those of addresses, where rows have them, those of the groups, and the status.
func (e *Enricher) Columns() []Column {
	all := e.addressColumns()
	for _, p := range e.parts {
		all = append(all, p.columns...)
	}
	if e.choice.Shapes { // why a row has no shape follows its values
		return append(all, e.choice.column("quartier_reason", column.Of("enrich.quartier_reason")),
			e.choice.column(StatusName, column.Of("enrich.shape_status")))
	}
	status := "enrich.quartier_status"
	if e.choice.AddressLevel != "" {
		status = "enrich.address_status"
	}
	return append(all, e.choice.column(StatusName, column.Of(status)))
}

// Release is the release that is read.
func (e *Enricher) Release() *release.Release { return e.release }

// place is a point while its columns are filled. What several groups need is looked up once.
type place struct {
	lng, lat float64
	release  scope.Release
	shape    *shape // nil: the row is a point

	snapped, street bool // values were looked up, and a street is near
	values          [schemas.ChannelCount]uint16
	located         bool
	geographies     []int // smallest level first
}

// move begins another point.
func (p *place) move(lng, lat float64) {
	p.lng, p.lat, p.snapped, p.located = lng, lat, false, false
}

// channels are the measures and scores; false where no street is near.
func (p *place) channels() (*[schemas.ChannelCount]uint16, bool) {
	if !p.snapped {
		p.snapped, p.street = true, p.release.ValuesAt(p.lng, p.lat, &p.values)
	}
	return &p.values, p.street
}

// around are the geographies that contain the point, smallest level first, then by area and id.
func (p *place) around() []int {
	if !p.located {
		p.located, p.geographies = true, p.release.GeographiesAt(p.geographies[:0], p.lng, p.lat, 0)
	}
	return p.geographies
}
