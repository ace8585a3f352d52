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
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
)

func surveyCommand() *cli.Command {
	return &cli.Command{
		Name:  "survey",
		Usage: "print how the scores of a release are spread over the homes of its regions, and check that they can be",
		Description: "Prints Markdown: for each region the 10th, 50th and 90th percentile of every score over its homes, collapsed scales,\n" +
			"the share of homes without each score and why, how far scores agree that must, and which classes of places are known;\n" +
			"with --places, a CSV file of name,lat,lng, the scores at each place. It fails where a scale is collapsed or two scores\n" +
			"disagree and the region file does not accept it by name.",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "places", Usage: "CSV `FILE` of name,lat,lng"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("give one release DIR, or a folder of releases")}
			}
			dir, err := publishedPlaces(c.Args().First())
			if err != nil {
				return err
			}
			if c.IsSet("places") {
				places, err := readPlaces(c.Path("places"))
				if err != nil {
					return err
				}
				if err := surveyPlaces(c.App.Writer, dir, places); err != nil {
					return err
				}
			}
			manifest, err := schemas.ReadManifest(dir)
			if err != nil {
				return err
			}
			summary.Survey(c.App.Writer, manifest)
			return surveyErr(manifest)
		},
	}
}

// errSurvey is the error of a release whose scores fail the survey.
var errSurvey = errors.New("the scores fail the survey")

// surveyErr is an errSurvey that names all failures that no region file accepts; nil if there are none.
func surveyErr(m *schemas.Manifest) error {
	var failures []string
	for _, s := range m.Spreads {
		if s.Collapsed != "" && s.Accepted == "" {
			failures = append(failures, fmt.Sprintf("region %s: %s is collapsed: %s", s.Region, s.Score, s.Collapsed))
		}
	}
	for _, a := range m.Agreements {
		if a.Fails() {
			failures = append(failures, fmt.Sprintf("region %s: %s agree by %.2f, less than %.2f", a.Region, a.Pair(), a.Rank, a.Least))
		}
	}
	if failures == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", errSurvey, strings.Join(failures, "; "))
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
