package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/explain"
	"quartier/cmd/quartier/explained"
	"quartier/cmd/quartier/journeys"
	"quartier/schemas"
	days "quartier/schemas/market"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name: "explain",
		Usage: "explain the numbers served at a point by their parts, a school by its records, a geography by its names, market statistics " +
			"by their listings, travel times by their journeys, or how a written address is read",
		Description: "For every selected score: the value served, those at the two nodes of the street between which it is interpolated, the\n" +
			"value recomputed by a search of its own, the formula with its constants and their marks ([V] verified in the source,\n" +
			"[C] computed on real data, [R] recalled from a published source, [A] our own choice), and the places that count with\n" +
			"their network distances and their rows in the sources. With --geography or --name: a geography, or those that a look-up\n" +
			"finds, with all names, their sources, and by which name the look-up found them. With --to: the minutes from the point to\n" +
			"another one, and the journeys that take them. With --score jobs_within_45_min_transit, or another travel measure: what is\n" +
			"reached from the home nearest to the point, or from those of --geography, where it is, and the journeys there.",
		Flags: append(journeys.Flags("25,50,75"),
			&cli.PathFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases with " + schemas.PointerFile, Required: true},
			&cli.Float64Flag{Name: "lat", Usage: "latitude of the point in `DEGREES`"},
			&cli.Float64Flag{Name: "lng", Usage: "longitude of the point in `DEGREES`"},
			&cli.StringFlag{Name: "to", Usage: "explain the travel time from the point to this one, `LAT,LNG`"},
			&cli.StringFlag{Name: "school", Usage: "explain the school with the `KEY`, or with a record of that key, instead of a point"},
			&cli.StringFlag{Name: "geography", Usage: "explain the geography with this geog_id or source `KEY`"},
			&cli.StringFlag{Name: "name", Usage: "explain the look-up of `TEXT`"},
			&cli.StringFlag{Name: "address", Usage: "explain how the written address `TEXT` is read, and what is found of it"},
			&cli.StringFlag{Name: "market", Usage: "explain the market statistics of the geography with this `GEOG_ID` by their listings"},
			&cli.StringFlag{Name: "interval", Usage: "of --market: `CODE` of the interval, such as 30d or 2026-10"},
			&cli.StringFlag{Name: "type", Usage: "of --market: `TYPE` of property", Value: days.AllResidential.String()},
			&cli.StringFlag{Name: "work", Usage: "of --market: `DIR` of the listings taken in by quartier market"},
			&cli.StringFlag{Name: "as-of",
				Usage: "of --market: `DATE` of the statistics (default: that of the published ones, else the newest of the listings)"},
			&cli.StringFlag{Name: "language", Usage: "language of the look-up, 'en' or 'fr'", Value: "en"},
			&cli.StringSliceFlag{Name: "score", Usage: "explain only the score or measure `NAME`, 'all' for all of both; may be repeated; " +
				"travel measures such as jobs_within_45_min_transit also with --geography"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON document"},
		),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{fmt.Errorf("unexpected argument %q", c.Args().First())}
			}
			if err := oneOf(c); err != nil {
				return err
			}
			if c.IsSet("market") {
				return explainMarket(c)
			}
			if c.IsSet("address") {
				read, err := explained.ReadAddress(c.Path("release"), c.String("address"), c.String("language"))
				if err == nil && c.Bool("json") {
					return printJSON(c.App.Writer, read)
				} else if err == nil {
					read.Print(c.App.Writer)
				}
				return err
			}
			if c.IsSet("school") {
				return explainSchool(c)
			}
			if journeys.NameMeasures(c) {
				return journeys.WriteMeasures(c, printJSON)
			}
			if !c.IsSet("lat") {
				return explainNames(c)
			}
			if c.IsSet("to") {
				return explainTravel(c)
			}
			channels, err := channelsNamed(c.StringSlice("score"))
			if err != nil {
				return err
			}
			lat, lng := c.Float64("lat"), c.Float64("lng")
			if !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
				return usageError{fmt.Errorf("latitude %v and longitude %v are out of range", lat, lng)}
			}
			dir, err := publishedPlaces(c.Path("release"))
			if err != nil {
				return err
			}
			reader, err := explain.Open(dir)
			if err != nil {
				return err
			}
			defer reader.Close()
			report, err := reader.Explain(c.Context, lng, lat, channels)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(c.App.Writer, report)
			}
			return explained.Report(c.App.Writer, report)
		},
	}
}

// explainTravel is the command with --to.
func explainTravel(c *cli.Context) error {
	report, err := journeys.FromFlags(c)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, report)
	}
	return report.Write(c.App.Writer)
}

// explainSchool is the command with --school.
func explainSchool(c *cli.Context) error {
	dir, err := publishedPlaces(c.Path("release"))
	if err != nil {
		return err
	}
	report, err := explain.OfSchool(c.Context, dir, c.String("school"))
	if errors.Is(err, explain.ErrNoSchool) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, report)
	}
	return explained.School(c.App.Writer, report)
}

// oneOf returns an error unless exactly one thing is to be explained.
func oneOf(c *cli.Context) error {
	given := 0
	for _, flag := range []string{"lat", "school", "geography", "name", "address", "market"} {
		if c.IsSet(flag) {
			given++
		}
	}
	switch {
	case given != 1 || c.IsSet("lat") != c.IsSet("lng"):
		return usageError{errors.New("give --lat and --lng, --school, --geography, --name, --address or --market")}
	case c.IsSet("name") && strings.TrimSpace(c.String("name")) == "":
		return usageError{errors.New("--name is empty")}
	case c.IsSet("score") && c.IsSet("geography") && !journeys.NameMeasures(c):
		return usageError{errors.New("--score with --geography is a travel measure, such as " + schemas.TravelMeasures[0].ID)}
	case (c.IsSet("score") && !c.IsSet("geography") || c.IsSet("to")) && !c.IsSet("lat"):
		return usageError{errors.New("--score and --to need --lat and --lng")}
	case c.String("language") != "en" && c.String("language") != "fr":
		return usageError{fmt.Errorf("--language %q is neither en nor fr", c.String("language"))}
	}
	return nil
}

// channelsNamed are the selected channels, each once; all scores if none is selected.
func channelsNamed(names []string) ([]schemas.Channel, error) {
	var channels []schemas.Channel
	first := schemas.FirstScore
	if slices.Contains(names, "all") {
		first = 0
	}
	if len(names) == 0 || first == 0 {
		for c := first; c < schemas.ChannelCount; c++ {
			channels = append(channels, c)
		}
		return channels, nil
	}
	for _, name := range names {
		c, ok := schemas.ChannelOf(name)
		if !ok {
			return nil, usageError{unknownChannel(name)}
		}
		if !slices.Contains(channels, c) {
			channels = append(channels, c)
		}
	}
	return channels, nil
}

// unknownChannel is the error for a name of no channel, with similar names.
func unknownChannel(name string) error {
	var names, like []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	for _, m := range schemas.TravelMeasures {
		names = append(names, m.ID)
	}
	for _, other := range names {
		if name != "" && (strings.Contains(other, name) || strings.Contains(name, other)) {
			like = append(like, other)
		}
	}
	if like == nil {
		return fmt.Errorf("unknown score or measure %q", name)
	}
	return fmt.Errorf("unknown score or measure %q; similar: %s", name, strings.Join(like, ", "))
}
