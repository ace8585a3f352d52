package compare

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

var (
	//go:embed sql/bridges.sql
	bridges string
	//go:embed sql/unbridged.sql
	unbridged string
)

// Succession is geographies of the older release and those of the newer one that they became, as far as bridges connect them.
type Succession struct {
	Kind       string // the most far-reaching kind of its bridges; "lost" or "new" without any
	Olds, News []Outline
	Bridges    []Bridge // by older id, the largest share first
}

// Outline is a geography with its outline.
type Outline struct {
	GeogID, Name string
	Level        schemas.Level
	Region       string
	Centroid     orb.Point // inside the outline
	Shape        orb.MultiPolygon
}

// Bridge is a row of geog_bridge.
type Bridge struct {
	Old, New       string // New is "" where the older one is retired
	Kind           string
	AreaShare      float64
	HouseholdShare sql.NullFloat64
	Measure        string // which share decided
}

// kinds are the kinds of successions, the most far-reaching first.
var kinds = []string{"lost", "retired", "split", "merge", "level", "redrawn", "reversion", "new"}

// Successions returns what became of the geographies that are in one of two releases alone: at most the given number, the most
// far-reaching kinds first, and how many more there are.
func Successions(ctx context.Context, older, newer string, most int) (list []Succession, left int, err error) {
	db, err := attach(older, newer, schemas.GeographiesFile)
	if err != nil {
		return nil, 0, fmt.Errorf("compare outlines: %w", err)
	}
	defer db.Close()
	if list, err = successions(ctx, db); err != nil {
		return nil, 0, fmt.Errorf("compare outlines: %w", err)
	}
	if len(list) > most {
		list, left = list[:most], len(list)-most
	}
	for i := range list {
		for j := range list[i].Olds {
			err = errors.Join(err, readOutline(ctx, db, &list[i].Olds[j], "older.geography"))
		}
		for j := range list[i].News {
			err = errors.Join(err, readOutline(ctx, db, &list[i].News[j], "newer.geography", "newer.geography_superseded"))
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("compare outlines: %w", err)
	}
	return list, left, nil
}

// successions groups the bridges, without outlines.
func successions(ctx context.Context, db *sql.DB) ([]Succession, error) {
	shares, err := released.BridgeColumns(ctx, db, "newer")
	if err != nil {
		return nil, err
	}
	all, err := released.Collect(ctx, db, fmt.Sprintf(bridges, shares), func(rows *sql.Rows, b *Bridge) error {
		return rows.Scan(&b.Old, &b.New, &b.Kind, &b.AreaShare, &b.HouseholdShare, &b.Measure)
	})
	if err != nil {
		return nil, err
	}
	groups := map[string]*Succession{} // by an id of each side, "-" and "+" before it
	var order []*Succession
	for _, b := range all {
		g := groups["-"+b.Old]
		if into := groups["+"+b.New]; b.New != "" && into != nil && g != into {
			g = join(groups, g, into)
		}
		if g == nil {
			g = &Succession{Kind: b.Kind}
			order = append(order, g)
		}
		g.add(groups, b)
	}
	err = released.Each(ctx, db, unbridged, nil, sqlrow.Visit2(func(id string, isNew bool) error {
		o := Outline{GeogID: id}
		g := &Succession{Kind: "lost", Olds: []Outline{o}}
		if isNew {
			g = &Succession{Kind: "new", News: []Outline{o}}
		}
		order = append(order, g)
		return nil
	}))
	order = slices.DeleteFunc(order, func(g *Succession) bool { return len(g.Olds)+len(g.News) == 0 })
	slices.SortStableFunc(order, func(a, b *Succession) int { return cmp.Compare(rank(a.Kind), rank(b.Kind)) })
	list := make([]Succession, len(order))
	for i, g := range order {
		list[i] = *g
	}
	return list, err
}

func rank(kind string) int {
	if i := slices.Index(kinds, kind); i >= 0 {
		return i
	}
	return len(kinds)
}

// add adds a bridge and those of its geographies that the succession does not have.
func (g *Succession) add(groups map[string]*Succession, b Bridge) {
	g.Bridges = append(g.Bridges, b)
	if rank(b.Kind) < rank(g.Kind) {
		g.Kind = b.Kind
	}
	if groups["-"+b.Old] != g {
		groups["-"+b.Old] = g
		g.Olds = append(g.Olds, Outline{GeogID: b.Old})
	}
	if b.New != "" && groups["+"+b.New] != g {
		groups["+"+b.New] = g
		g.News = append(g.News, Outline{GeogID: b.New})
	}
}

// join moves what is in from, which may be nil, to into.
func join(groups map[string]*Succession, from, into *Succession) *Succession {
	if from == nil {
		return into
	}
	for _, b := range from.Bridges {
		into.add(groups, b)
	}
	*from = Succession{}
	return into
}

// readOutline reads a geography from the first of some tables that has it.
func readOutline(ctx context.Context, db *sql.DB, o *Outline, tables ...string) error {
	for _, table := range tables {
		var blob []byte
		err := db.QueryRowContext(ctx, `SELECT name_en, level, region, centroid_lng, centroid_lat, geometry FROM `+table+` WHERE geog_id = ?`,
			o.GeogID).
			Scan(&o.Name, &o.Level, &o.Region, &o.Centroid[0], &o.Centroid[1], &blob)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			o.Shape, err = released.ReadMultiPolygon(blob)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.GeogID, err)
		}
		return nil
	}
	return fmt.Errorf("%s: it is in none of %v", o.GeogID, tables)
}
