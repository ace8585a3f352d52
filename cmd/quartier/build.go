package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/build"
	"quartier/ingest"
	"quartier/schemas"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:  "build",
		Usage: "turn the sources of a release file, a region file or one OpenStreetMap extract into a verified release",
		Description: "The release is written beside OUT, verified and renamed; a release that stands there is untouched until then.\n" +
			"Stages whose inputs did not change since the last run in the same work folder are not run again.",
		Flags: append(regionFlags(),
			&cli.StringFlag{Name: "pbf", Usage: "build from this OpenStreetMap `FILE` (.osm.pbf, .osm, .osm.gz, .osm.bz2) alone"},
			&cli.StringFlag{Name: "as-of", Usage: "`DATE` of the extract given by --pbf (default: the one its header tells, else the file's)"},
			&cli.StringFlag{Name: "place", Usage: "`CODE` such as US_MD of the state that the extract given by --pbf lies in, where its data does not say"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the release", Required: true},
			&cli.StringFlag{Name: "previous", Usage: "`DIR` of the last release, whose geog_ids are kept"},
			&cli.StringFlag{Name: "work", Usage: "`DIR` for the databases in between (default: OUT.work)"},
			&cli.BoolFlag{Name: "force", Usage: "replace a release that stands at OUT"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the plan and stop"},
			&cli.IntFlag{Name: "jobs", Usage: "regions at a time (default: one a processor)"},
			logFlag(),
		),
		Action: buildRelease,
	}
}

// regionFlags say which regions a command works on and where their files lie.
func regionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "release", Usage: "release `FILE` (YAML), which names regions"},
		&cli.StringSliceFlag{Name: "region", Usage: "region `FILE` (YAML); may be repeated"},
		&cli.StringFlag{Name: "data", Usage: "`DIR` that ${DATA} stands for in region files", EnvVars: []string{"QUARTIER_DATA"}},
		&cli.StringSliceFlag{Name: "var", Usage: "`NAME=VALUE` for ${NAME} in region files; may be repeated"},
		&cli.StringFlag{Name: "cache", Usage: "`DIR` of files fetched by URL", Value: ".cache/quartier", EnvVars: []string{"QUARTIER_CACHE"}},
	}
}

// selection reads the regions that the flags name, and the name of the release.
func selection(c *cli.Context) (string, []*ingest.Region, error) {
	files := c.StringSlice("region")
	name := ""
	given := len(files)
	if c.IsSet("release") {
		given++
		release, err := ingest.ReadRelease(c.String("release"))
		if err != nil {
			return "", nil, err
		}
		name, files = release.Name, append(release.Regions, files...)
	}
	if pbf := c.String("pbf"); pbf != "" {
		if given > 0 {
			return "", nil, usageError{errors.New("--pbf goes without --release and --region")}
		}
		asOf, err := extractDate(c, pbf)
		if err != nil {
			return "", nil, err
		}
		country, state, _ := strings.Cut(c.String("place"), "_")
		if _, known := schemas.StateName(country, state); c.IsSet("place") && !known {
			return "", nil, usageError{fmt.Errorf("--place %q is no state or province of the form US_MD", c.String("place"))}
		}
		region := ingest.Extract(pbf, asOf, country, state)
		return region.Name, []*ingest.Region{region}, nil
	}
	if given == 0 {
		return "", nil, usageError{errors.New("give --release, --region or --pbf")}
	}
	vars, err := variables(c)
	if err != nil {
		return "", nil, err
	}
	var regions []*ingest.Region
	for _, file := range files {
		region, err := ingest.ReadRegion(file, vars, c.String("cache"))
		if err != nil {
			return "", nil, err
		}
		if other := slices.IndexFunc(regions, func(r *ingest.Region) bool { return r.Name == region.Name }); other >= 0 {
			return "", nil, fmt.Errorf("%w %s: region %s stands in %s already", ingest.ErrBadRegion, file, region.Name, files[other])
		}
		regions = append(regions, region)
	}
	if name == "" {
		name = regions[0].Name
	}
	return name, regions, nil
}

func variables(c *cli.Context) (ingest.Variables, error) {
	given := map[string]string{}
	for _, pair := range c.StringSlice("var") {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, usageError{fmt.Errorf("--var %q is not of the form NAME=VALUE", pair)}
		}
		given[name] = value
	}
	if data := c.String("data"); data != "" {
		given["DATA"] = data
	}
	for name, value := range given {
		if absolute, err := filepath.Abs(value); err == nil {
			given[name] = absolute
		}
	}
	return func(name string) (string, bool) {
		if value, found := given[name]; found {
			return value, true
		}
		return os.LookupEnv(name)
	}, nil
}

// extractDate is the as-of date of an extract: the flag's, else the one its header tells, else the file's.
func extractDate(c *cli.Context, pbf string) (string, error) {
	if given := c.String("as-of"); given != "" {
		if _, err := time.Parse(time.DateOnly, given); err != nil {
			return "", usageError{fmt.Errorf("--as-of %q is not a date like 2024-05-31", given)}
		}
		return given, nil
	}
	return ingest.ExtractDate(pbf)
}

func buildRelease(c *cli.Context) error {
	log, err := logger(c)
	if err != nil {
		return err
	}
	name, regions, err := selection(c)
	if err != nil {
		return err
	}
	out := filepath.Clean(c.String("out"))
	p := &pipeline{
		name: name, regions: regions, out: out, previous: c.String("previous"), work: c.String("work"),
		force: c.Bool("force"), jobs: c.Int("jobs"), log: log, screen: c.App.ErrWriter,
	}
	if p.work == "" {
		p.work = out + ".work"
	}
	if err := p.plan(c.Context); err != nil || c.Bool("dry-run") {
		return err
	}
	if _, err := os.Stat(out); err == nil && !p.force {
		return fmt.Errorf("%w: %s", build.ErrExists, out)
	}
	return p.run(c.Context)
}
