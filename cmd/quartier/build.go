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

	"quartier/cmd/quartier/pipeline"
	"quartier/ingest"
	"quartier/schemas"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:  "build",
		Usage: "build a verified release from a release file, region files or one OpenStreetMap extract",
		Description: "The release is written next to OUT, verified, then renamed; until then an existing release in OUT is not touched.\n" +
			"Stages whose inputs and code have not changed since the last run in the same work folder are reused, and a build that was\n" +
			"interrupted continues after its last finished step; quartier plan says which.",
		Flags: append(buildFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "check everything that can be checked before the first row is read, print the plan and exit"}),
		Action: func(c *cli.Context) error { return buildRelease(c, c.Bool("dry-run")) },
	}
}

func planCommand() *cli.Command {
	return &cli.Command{
		Name:  "plan",
		Usage: "say what a build would do: which steps run and why, with rows, disk, minutes and memory",
		Description: "Everything that can be checked before the first row is read is checked: region files, sources, folders, disk.\n" +
			"Nothing is written. The same flags given to build then run what was printed.",
		Flags:  buildFlags(),
		Action: func(c *cli.Context) error { return buildRelease(c, true) },
	}
}

// buildFlags say what is built and where.
func buildFlags() []cli.Flag {
	return append(contentFlags(),
		&cli.StringFlag{Name: "out", Usage: "release `DIR` to write", Required: true},
		&cli.StringFlag{Name: "work", Usage: "`DIR` of intermediate databases (default: OUT.work)"},
		&cli.BoolFlag{Name: "force", Usage: "replace an existing release in OUT"},
		&cli.BoolFlag{Name: "ignore-disk", Usage: "build even if the disk has less free space than the estimate"},
		&cli.BoolFlag{Name: "ignore-memory", Usage: "build even if the machine has less free memory than the estimate"},
		&cli.StringFlag{Name: "engine", Usage: "what runs the steps: local, this process; docs/scale.md has others", Value: "local",
			Action: onlyLocal},
		&cli.IntFlag{Name: "jobs", Usage: "regions, and later steps, at the same time (default: one per processor, fewer where memory is short)"},
	)
}

// contentFlags say what is built, in one process or by steps on several machines.
func contentFlags() []cli.Flag {
	return append(append(regionFlags(),
		&cli.StringFlag{Name: "pbf", Usage: "build from one OpenStreetMap `FILE` (.osm.pbf, .osm, .osm.gz, .osm.bz2)"},
		&cli.StringFlag{Name: "as-of",
			Usage: "as-of `DATE` of the extract given by --pbf (default: from its header, else that of its newest edit)"},
		&cli.StringFlag{Name: "previous", Usage: "`DIR` of the previous release, whose geog_ids are kept"},
		acceptFlag(), logFlag(),
	), requestFlags()...)
}

// onlyLocal refuses other engines, whose programs run quartier step.
func onlyLocal(_ *cli.Context, engine string) error {
	if engine != "local" {
		return usageError{fmt.Errorf("--engine %s: a build runs in this process; other engines run the steps of quartier step plan", engine)}
	}
	return nil
}

// regionFlags select the regions that a command works on and locate their files.
func regionFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "release", Usage: "release `FILE` (YAML), which lists region files"},
		&cli.StringSliceFlag{Name: "region", Usage: "region `FILE` (YAML); may be repeated"},
	}, pathFlags()...)
}

// pathFlags locate the files of region files and listings files.
func pathFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "`DIR` that ${DATA} expands to in region files", EnvVars: []string{"QUARTIER_DATA"}},
		&cli.StringSliceFlag{Name: "var", Usage: "`NAME=VALUE` that ${NAME} expands to in region files; may be repeated"},
		&cli.StringFlag{Name: "cache", Usage: "`DIR` of downloaded files", Value: ".cache/quartier", EnvVars: []string{"QUARTIER_CACHE"}},
	}
}

// selected is the release that flags select.
type selected struct {
	name    string
	gates   []schemas.GateLimit
	regions []*ingest.Region
}

// selection reads the regions that the flags select. If the error is of type ingest.Faults,
// the regions that could be read are returned too.
func selection(c *cli.Context) (s selected, err error) {
	files := c.StringSlice("region")
	given := len(files)
	var faults ingest.Faults
	if c.IsSet("release") {
		given++
		release, err := ingest.ReadRelease(c.String("release"))
		if errors.As(err, &faults); release != nil {
			s.name, s.gates, files = release.Name, release.GateLimits(), append(release.Regions, files...)
		}
	}
	if pbf := c.String("pbf"); pbf != "" {
		if given > 0 {
			return s, usageError{errors.New("--pbf cannot be combined with --release or --region")}
		}
		asOf, err := extractDate(c, pbf)
		if err != nil {
			return s, err
		}
		region := ingest.Extract(pbf, asOf)
		return selected{name: region.Name, regions: []*ingest.Region{region}}, nil
	}
	if given == 0 {
		return s, usageError{errors.New("one of --release, --region or --pbf is required")}
	}
	vars, err := variables(c)
	if err != nil {
		return s, err
	}
	for _, file := range files {
		region, err := ingest.ReadRegion(file, vars, c.String("cache"))
		var found ingest.Faults
		errors.As(err, &found)
		faults = append(faults, found...)
		if region == nil {
			continue
		}
		if other := slices.IndexFunc(s.regions, func(r *ingest.Region) bool { return r.Name == region.Name }); other >= 0 {
			faults = append(faults, ingest.Fault{File: file, Region: region.Name,
				Err: fmt.Errorf("%w: region %s is already defined in %s", ingest.ErrBadRegion, region.Name, s.regions[other].File)})
			continue
		}
		s.regions = append(s.regions, region)
	}
	if s.name == "" && len(s.regions) > 0 {
		s.name = s.regions[0].Name
	}
	return s, faults.Err()
}

func variables(c *cli.Context) (ingest.Variables, error) {
	given := map[string]string{}
	for _, pair := range c.StringSlice("var") {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, usageError{fmt.Errorf("--var %q is not NAME=VALUE", pair)}
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

// extractDate returns the as-of date of an extract: from the flag, or of its data.
func extractDate(c *cli.Context, pbf string) (string, error) {
	if given := c.String("as-of"); given != "" {
		if _, err := time.Parse(time.DateOnly, given); err != nil {
			return "", usageError{fmt.Errorf("--as-of %q is not a date such as 2024-05-31", given)}
		}
		return given, nil
	}
	date, err := ingest.ExtractDate(c.Context, pbf)
	if errors.Is(err, ingest.ErrUndated) {
		err = usageError{fmt.Errorf("%w; give the date of its data by --as-of", err)}
	}
	return date, err
}

// buildOf is the build that the flags ask for, with the faults of its files.
func buildOf(c *cli.Context) (*pipeline.Build, ingest.Faults, error) {
	log, err := logger(c)
	if err != nil {
		return nil, nil, err
	}
	release, err := selection(c)
	var faults ingest.Faults
	if err != nil && !errors.As(err, &faults) {
		return nil, nil, err
	}
	accepted, err := acceptances(c)
	if err != nil {
		return nil, nil, err
	}
	custom, err := customBuildOf(c)
	return &pipeline.Build{
		Name: release.name, Regions: release.regions, Gates: release.gates, Out: filepath.Clean(c.String("out")),
		Previous: c.String("previous"), Work: c.String("work"),
		Accepted: accepted, Force: c.Bool("force"), Jobs: c.Int("jobs"), AnyDisk: c.Bool("ignore-disk"), AnyMemory: c.Bool("ignore-memory"),
		ToolVersion: version(), Log: log, Screen: c.App.ErrWriter,
		Custom: custom,
	}, faults, err
}

// buildRelease builds, or only plans.
func buildRelease(c *cli.Context, dry bool) error {
	p, faults, err := buildOf(c)
	if err != nil {
		return err
	}
	if p.Work == "" {
		p.Work = p.Out + ".work"
	}
	if dry {
		if err := p.Preflight(c.Context, faults); err != nil {
			return err
		}
		_, err := fmt.Fprintln(p.Screen, "No fault was found. Nothing was built.")
		return err
	}
	return p.Run(c.Context, faults)
}
