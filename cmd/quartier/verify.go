package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/build/compare"
	"quartier/build/market"
	"quartier/build/verify"
	"quartier/schemas"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "recompute all digests and counts of a release, its custom geographies or market statistics, and fail if any differs",
		ArgsUsage: "DIR",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("exactly one release DIR is required")}
			}
			dir := c.Args().First()
			of, err := schemas.ComponentOf(dir)
			switch {
			case err == nil && (of == schemas.Market || of == schemas.PrivateMarket):
				return verifyMarket(c, dir)
			case err == nil && of == schemas.Private:
				return verifyPrivate(c, dir)
			}
			result, err := verify.Release(c.Context, dir, "")
			if err != nil {
				return fmt.Errorf("verify %s: %w", dir, err)
			}
			manifest, err := schemas.ReadManifest(dir)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.App.Writer, result)
			printRelease(c.App.Writer, manifest, dir)
			return nil
		},
	}
}

// verifyMarket is verify for a component market.
func verifyMarket(c *cli.Context, dir string) error {
	result, err := market.Verify(c.Context, dir, "")
	if err != nil {
		return fmt.Errorf("verify %s: %w", dir, err)
	}
	manifest, err := schemas.ReadMarketManifest(dir)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.App.Writer, result)
	return printMarket(c.App.Writer, manifest, dir)
}

func compareCommand() *cli.Command {
	return &cli.Command{
		Name:  "compare",
		Usage: "report the changes between two releases",
		Description: "Counts geographies, POIs and rows with issues, and gives quantiles of the differences of scores, measures and\n" +
			"demographics by level. Only geographies that are current in both releases are compared. Of releases of different\n" +
			"schemas it compares what both have.",
		ArgsUsage: "OLD NEW",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "list every variable that changed, not only those that changed the most"},
			&cli.IntFlag{Name: "most", Usage: "list, for every score, the `N` geographies that moved the most"},
		},
		Action: func(c *cli.Context) error {
			if c.Int("most") < 0 {
				return usageError{fmt.Errorf("--most %d: must be positive", c.Int("most"))}
			}
			if c.NArg() != 2 {
				return usageError{errors.New("two release folders are required: OLD and NEW")}
			}
			change, err := compare.Releases(c.Context, c.Args().Get(0), c.Args().Get(1))
			if err != nil {
				return err
			}
			text := change.String()
			if c.Bool("all") {
				text = change.Text(0)
			}
			if most := c.Int("most"); most > 0 {
				moves, err := compare.MostMoved(c.Context, c.Args().Get(0), c.Args().Get(1), most)
				if err != nil {
					return err
				}
				text += "\n" + moves.String()
			}
			_, err = fmt.Fprintln(c.App.Writer, text)
			return err
		},
	}
}
