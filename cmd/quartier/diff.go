package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"quartier/build/compare"
	"quartier/build/diff"
	"quartier/schemas"
)

// Of the page: outlines and moves are many where a release is large.
const (
	mostOutlines = 200
	mostMoves    = 5
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:  "diff",
		Usage: "report the changes between two releases: as text, JSON, or a page",
		Description: "OLD and NEW are folders of releases of places, or folders of releases with " + schemas.PointerFile +
			", whose places and market are\n" +
			"compared. Counts geographies by level and region, POIs, schools, rows with issues; gives quantiles of the differences of scores,\n" +
			"measures and demographics by level; and says what gates would. FILE of --html is one page that needs no network, with changed\n" +
			"outlines drawn, histograms of scores, and the places near those that moved the most. Private places are not in it.",
		ArgsUsage: "OLD NEW",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "html", Usage: "write a page to `FILE`"},
			&cli.StringFlag{Name: "json", Usage: "write JSON to `FILE`; -: instead of the text"},
			&cli.BoolFlag{Name: "all", Usage: "list every variable that changed in the text, not only those that changed the most"},
			&cli.IntFlag{Name: "most", Usage: "the `N` geographies that moved the most, for every score", Value: mostMoves},
		},
		Action: func(c *cli.Context) error {
			if c.Int("most") < 0 {
				return usageError{fmt.Errorf("--most %d: must be positive", c.Int("most"))}
			}
			if c.NArg() != 2 {
				return usageError{errors.New("two release folders are required: OLD and NEW")}
			}
			var sides [2]diff.Folders
			for i := range sides {
				var err error
				if sides[i], err = diff.FoldersOf(c.Args().Get(i)); err != nil {
					return err
				}
			}
			report, err := diff.Releases(c.Context, sides[0], sides[1], diff.Options{Outlines: mostOutlines, Moves: c.Int("most")})
			if err != nil {
				return err
			}
			return writeDiff(c, report)
		},
	}
}

// writeDiff writes the report in the forms that the flags ask for.
func writeDiff(c *cli.Context, report *diff.Report) error {
	for _, form := range []struct {
		flag  string
		write func(io.Writer) error
	}{{"html", report.WriteHTML}, {"json", report.WriteJSON}} {
		path := c.String(form.flag)
		if path == "" {
			continue
		}
		if form.flag == "json" && path == "-" {
			return report.WriteJSON(c.App.Writer)
		}
		var out bytes.Buffer
		if err := form.write(&out); err != nil {
			return err
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	most := compare.MostFigures
	if c.Bool("all") {
		most = 0
	}
	_, err := fmt.Fprintf(c.App.Writer, "%s\n%s\n%s", report.Comparison.Text(most), report.Moves, report.Verdicts.Table())
	return err
}
