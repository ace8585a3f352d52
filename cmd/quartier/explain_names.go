package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

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
	} else if list, err = explain.LookUp(c.Context, dir, names.Query{Name: c.String("name"), Language: c.String("language"), Limit: 10}); err != nil {
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
		printGeography(c.App.Writer, &list[i])
	}
	return nil
}

// printGeography prints a geography with its names and their sources.
func printGeography(w io.Writer, g *explain.Geography) {
	fmt.Fprintf(w, "%s  %s, level %d\n", g.GeogID, strings.Join(distinct(g.NameEN, g.NameFR), " / "), g.Level)
	people := "population not known"
	if g.Population != nil {
		people = thousands(*g.Population) + " people"
	}
	explained.Text(w, "", "outline", fmt.Sprintf("%s of source %s in region %s; %s; %s", g.SourceKey, g.SourceID, g.Region, cmp.Or(g.States, "no state"), people))
	if m := g.Match; m != nil {
		text := fmt.Sprintf("%q (%s): %s", m.Name, m.Which, m.How)
		if m.Name == "" {
			text = m.How
		}
		if m.Errors > 0 {
			text += fmt.Sprintf(", %d", m.Errors)
		}
		explained.Text(w, "", "found by", text)
	}
	title := "also"
	for _, n := range g.Further {
		kind := n.Kind
		if n.Language != "" {
			kind += ", " + n.Language
		}
		explained.Text(w, "", title, fmt.Sprintf("%s (%s; source %s of %s)", n.Name, kind, n.SourceID, n.Region))
		title = ""
	}
	fmt.Fprintln(w)
}

// distinct is two texts, or one where they are equal.
func distinct(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}
