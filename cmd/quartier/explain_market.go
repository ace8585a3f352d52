package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	build "quartier/build/market"
	"quartier/cmd/quartier/explained"
	"quartier/ingest/listings"
	"quartier/internal/duck"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
	days "quartier/schemas/market"
	"quartier/transform/market"
)

// explainMarket is the command with --market.
func explainMarket(c *cli.Context) error {
	of, known := days.TypeNamed(c.String("type"))
	if !known {
		return usageError{fmt.Errorf("--type %q is none of %s", c.String("type"), strings.Join(days.TypeNames(), ", "))}
	}
	if c.String("interval") == "" || c.String("work") == "" {
		return usageError{errors.New("--market needs --interval CODE, --type TYPE and --work DIR")}
	}
	asOf, places, err := marketOf(c)
	if err != nil {
		return err
	}
	file, err := pack.Open(filepath.Join(places, schemas.GeographiesPack))
	if err != nil {
		return err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return err
	}
	report, err := explainCell(c.Context, places, table, asOf, of, c)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, report)
	}
	return explained.PrintMarket(c.App.Writer, report)
}

// marketOf is the day that is explained: that of --as-of, of the market that the pointer of the release names, or the newest
// of the listings; and the folder of the places.
func marketOf(c *cli.Context) (days.Day, string, error) {
	dir := c.Path("release")
	places, err := placesOf(dir)
	if err != nil {
		return days.NoDay, "", err
	}
	if given := c.String("as-of"); given != "" {
		day, err := days.ParseDay(given)
		if err != nil {
			err = usageError{fmt.Errorf("--as-of %w", err)}
		}
		return day, places, err
	}
	pointer, err := schemas.ReadPointer(dir)
	if err != nil {
		return days.NoDay, "", err
	}
	if pointer != nil {
		if component, ok := pointer.Component(schemas.Market); ok {
			day, err := days.ParseDay(component.AsOf)
			return day, places, err
		}
	}
	return days.NoDay, places, nil
}

func explainCell(ctx context.Context, places string, table *geographies.Table, asOf days.Day, of days.PropertyType,
	c *cli.Context) (*explained.Market, error) {
	geography, found := table.ByID(c.String("market"))
	if !found || !market.Served(table, geography) {
		return nil, usageError{fmt.Errorf("--market %q is no geography of the release that has market statistics", c.String("market"))}
	}
	db, err := duck.Open(filepath.Join(c.String("work"), listings.File))
	if err != nil {
		return nil, fmt.Errorf("--work %s: %w", c.String("work"), err)
	}
	defer db.Close()
	if asOf == days.NoDay {
		if asOf, err = build.Newest(ctx, db); err != nil {
			return nil, err
		}
	}
	code := c.String("interval")
	n, err := days.Parse(code, asOf, days.Intervals(asOf))
	if err != nil {
		return nil, usageError{err}
	}
	interval := days.Intervals(asOf)[n]
	name, digest, err := build.Beside(places)
	if err != nil {
		return nil, err
	}
	in := market.Input{Listings: db, Places: table, Digest: digest, AsOf: asOf, Work: filepath.Join(c.String("work"), name)}
	entries, err := market.Explain(ctx, in, geography, of, code)
	if err != nil {
		return nil, err
	}
	return &explained.Market{
		Geography: table.ID(geography), Name: table.Name(geography).EN, Type: of.String(), Interval: code,
		First: interval.First.String(), Last: interval.Last.String(), AsOf: asOf.String(), Listings: entries,
	}, nil
}
