package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/scorestats"
	"quartier/schemas"
)

func surveyCommand() *cli.Command {
	return &cli.Command{
		Name:  "survey",
		Usage: "print the distribution of the scores of a release over its streets, and the scores at known places",
		Description: "Prints Markdown: for each region the 10th, 50th and 90th percentile of every score over the nodes of its walking\n" +
			"network; with --places, a CSV file of name,lat,lng, the scores at each place.",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "places", Usage: "CSV `FILE` of name,lat,lng"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("give one release DIR")}
			}
			dir := c.Args().First()
			if c.IsSet("places") {
				places, err := readPlaces(c.Path("places"))
				if err != nil {
					return err
				}
				if err := surveyPlaces(c.App.Writer, dir, places); err != nil {
					return err
				}
			}
			regions, err := scorestats.Regions(c.Context, dir)
			if err != nil {
				return err
			}
			return printRegions(c.App.Writer, regions)
		},
	}
}

// readPlaces reads a CSV file with the header name,lat,lng.
func readPlaces(path string) ([]scorestats.Place, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = 3
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var places []scorestats.Place
	for i, row := range rows {
		if i == 0 {
			continue
		}
		lat, laterr := strconv.ParseFloat(row[1], 64)
		lng, lngerr := strconv.ParseFloat(row[2], 64)
		if err := errors.Join(laterr, lngerr); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, i+1, err)
		}
		places = append(places, scorestats.Place{Name: row[0], Lng: lng, Lat: lat})
	}
	return places, nil
}

// surveyPlaces prints a column for each place, to the nearest half as points are served.
func surveyPlaces(w io.Writer, dir string, places []scorestats.Place) error {
	reads, err := scorestats.Places(dir, places)
	if err != nil {
		return err
	}
	var names []string
	for _, r := range reads {
		names = append(names, r.Name)
	}
	printHeading(w, names)
	for s, score := range schemas.Scores {
		fmt.Fprintf(w, "| %s |", score.ID)
		for _, r := range reads {
			fmt.Fprintf(w, " %s |", scoreCell(r, s))
		}
		fmt.Fprintln(w)
	}
	_, err = fmt.Fprintln(w)
	return err
}

// printHeading prints the head of a table with a column for each name.
func printHeading(w io.Writer, names []string) {
	fmt.Fprintf(w, "| score | %s |\n| --- |%s\n", strings.Join(names, " | "), strings.Repeat(" --- |", len(names)))
}

func scoreCell(r scorestats.Sample, s int) string {
	if !r.Found || r.Scores[s] == schemas.AbsentValue {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64((uint32(r.Scores[s])+schemas.UnitValue/4)/(schemas.UnitValue/2))/2)
}

func printRegions(w io.Writer, regions []scorestats.Region) error {
	var names []string
	for _, r := range regions {
		names = append(names, r.Name)
	}
	printHeading(w, names)
	for s, score := range schemas.Scores {
		fmt.Fprintf(w, "| %s |", score.ID)
		for i := range regions {
			spread := &regions[i].Scores[s]
			if spread.Known == 0 {
				fmt.Fprint(w, " – |")
				continue
			}
			fmt.Fprintf(w, " %.1f · %.1f · %.1f |", spread.Quantile(0.1), spread.Quantile(0.5), spread.Quantile(0.9))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| nodes |")
	for _, r := range regions {
		fmt.Fprintf(w, " %s |", thousands(int64(r.Nodes)))
	}
	_, err := fmt.Fprintln(w)
	return err
}
