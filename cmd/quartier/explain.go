package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/explain"
	"quartier/schemas"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:  "explain",
		Usage: "lead from the numbers served at a point back to their parts",
		Description: "For every score asked for: the value served, those at the two nodes of the street that it lies between, the value worked\n" +
			"out anew by a fresh search, the formula with its constants and their marks ([V] read in the source, [C] computed on\n" +
			"real data, [R] recalled from a published source, [A] our own choice), and the places that counted with their ways\n" +
			"on foot and their rows in the sources.",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "release", Usage: "the release folder `DIR`", Required: true},
			&cli.Float64Flag{Name: "lat", Usage: "latitude of the point in `DEGREES`", Required: true},
			&cli.Float64Flag{Name: "lng", Usage: "longitude of the point in `DEGREES`", Required: true},
			&cli.StringSliceFlag{Name: "score", Usage: "explain the score or measure `NAME` alone, 'all' for all of both; may be repeated"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON document"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{fmt.Errorf("%q is not expected here", c.Args().First())}
			}
			channels, err := channelsNamed(c.StringSlice("score"))
			if err != nil {
				return err
			}
			lat, lng := c.Float64("lat"), c.Float64("lng")
			if !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
				return usageError{fmt.Errorf("no place on earth has latitude %v and longitude %v", lat, lng)}
			}
			reader, err := explain.Open(c.Path("release"))
			if err != nil {
				return err
			}
			defer reader.Close()
			report, err := reader.Explain(c.Context, lng, lat, channels)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				out := json.NewEncoder(c.App.Writer)
				out.SetEscapeHTML(false)
				out.SetIndent("", " ")
				return out.Encode(report)
			}
			return printReport(c.App.Writer, report)
		},
	}
}

// channelsNamed are the channels asked for, each once; all scores where none is.
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
			return nil, usageError{errors.New(noChannel(name))}
		}
		if !slices.Contains(channels, c) {
			channels = append(channels, c)
		}
	}
	return channels, nil
}

// noChannel says that there is none of that name, and which ones have it in theirs.
func noChannel(name string) string {
	var like []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		if other := schemas.ChannelName(c); name != "" && (strings.Contains(other, name) || strings.Contains(name, other)) {
			like = append(like, other)
		}
	}
	if like == nil {
		return fmt.Sprintf("no score or measure is called %q", name)
	}
	return fmt.Sprintf("no score or measure is called %q; there is %s", name, strings.Join(like, ", "))
}
