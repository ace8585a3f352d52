package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/build/explain"
	"quartier/cmd/quartier/explained"
	"quartier/internal/pack/names"
)

// explainNames explains the options --geography and --name of explain.
func explainNames(c *cli.Context) error {
	dir, err := publishedPlaces(c.Path("release"))
	if err != nil {
		return err
	}
	var list []explain.Geography
	if key := c.String("geography"); key != "" {
		g, err := explain.Named(c.Context, dir, key)
		if err != nil {
			return err
		}
		list = []explain.Geography{*g}
	} else if list, err = explain.LookUp(c.Context, dir,
		names.Query{Name: c.String("name"), Language: c.String("language"), Limit: 10}); err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintf(c.App.Writer, "No geography is found by %q.\n", c.String("name"))
		return err
	}
	for i := range list {
		explained.Geography(c.App.Writer, &list[i])
	}
	return nil
}
