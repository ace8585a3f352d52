// Package stepping has the command quartier step: it prints the steps of a build for programs that spread them over machines, and
// runs one of them (docs/scale.md).
package stepping

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/cmd/quartier/pipeline"
	"quartier/ingest"
	"quartier/internal/store"
)

// ErrUsage is the error of arguments that name no step or no work place.
var ErrUsage = errors.New("bad arguments")

// Builder returns the build of the flags of a command, with the faults of its files.
type Builder func(*cli.Context) (*pipeline.Build, ingest.Faults, error)

// Command is quartier step. flags say what is built.
func Command(flags func() []cli.Flag, build Builder) *cli.Command {
	place := &cli.StringFlag{Name: "work", Usage: "`PLACE` that all machines reach: DIR or s3://BUCKET/PREFIX", Required: true}
	return &cli.Command{
		Name:  "step",
		Usage: "the steps of a build, for machines that take one each",
		Subcommands: []*cli.Command{{
			Name:  "plan",
			Usage: "print the steps with what they need, read, write and take, and note the plan in the work place",
			Flags: slices.Concat(flags(), engineFlags(), refusedFlags(), []cli.Flag{place,
				&cli.BoolFlag{Name: "json", Usage: "a line of JSON for each step"},
				&cli.BoolFlag{Name: "replace", Usage: "replace the plan of another build in the work place"}}),
			Action: func(c *cli.Context) error { return planSteps(c, build, flags()) },
		}, {
			Name:      "run",
			Usage:     "run one step, unless it is done",
			ArgsUsage: "ID",
			Description: "The files of the steps that it needs are fetched from the work place, its own are put there. It can be run again at\n" +
				"any time, and by several machines at once: the first that finishes is recorded.",
			Flags: slices.Concat(flags(), refusedFlags(), []cli.Flag{place,
				&cli.IntFlag{Name: "attempt", Usage: "`NUMBER` of this attempt, from 1", Value: 1},
				&cli.StringFlag{Name: "scratch",
					Usage: "`DIR` of this machine in which attempts work (default: attempts in a folder as work place, else that of temporary files)"},
				&cli.StringFlag{Name: "objects", EnvVars: []string{"QUARTIER_OBJECTS"},
					Usage: "`DIR` of this machine, on the disk of --scratch, that keeps files of steps for the next ones (default: none)"},
				&cli.Int64Flag{Name: "objects-gb", EnvVars: []string{"QUARTIER_OBJECTS_GB"}, Value: 20,
					Usage: "`GB` of files in --objects; those whose last use was longest ago are removed"}}),
			Action: func(c *cli.Context) error { return runStep(c, build) },
		}},
	}
}

// refusedFlags are those of quartier build that no step has, with what to do instead.
func refusedFlags() (list []cli.Flag) {
	for _, f := range []struct{ name, instead string }{
		{"out", "the release is put in release in the work place"},
		{"force", "a release in the work place is replaced by the next one; --replace of step plan replaces the plan of another build"},
		{"dry-run", "step plan checks what a build checks before its first row; quartier plan does and notes nothing"},
		{"engine", "a step is what engines run; step plan --as writes a document for one"},
		{"jobs", "the engine says how many steps run at once"},
		{"ignore-disk", "steps do not compare the disk with the estimate; the plan has that of each step"},
		{"ignore-memory", "steps do not compare the memory with the estimate; the plan has that of each step"},
	} {
		refuse := func() error { return fmt.Errorf("%w: --%s is for quartier build: %s", ErrUsage, f.name, f.instead) }
		if slices.Contains([]string{"out", "engine", "jobs"}, f.name) {
			list = append(list, &cli.StringFlag{Name: f.name, Hidden: true, Action: func(*cli.Context, string) error { return refuse() }})
		} else {
			list = append(list, &cli.BoolFlag{Name: f.name, Hidden: true, Action: func(*cli.Context, bool) error { return refuse() }})
		}
	}
	return list
}

// planSteps prints the plan, and notes in the work place what the sources are.
func planSteps(c *cli.Context, build Builder, flags []cli.Flag) error {
	p, faults, err := build(c)
	if err != nil {
		return err
	}
	place, err := openPlace(c.Context, c.String("work"))
	if err != nil {
		return err
	}
	p.Work, p.Out = "work", "release"
	if err := p.Inspect(c.Context, faults); err != nil {
		return err
	}
	parts, err := p.Parts(nil)
	if err != nil {
		return err
	}
	var printed bytes.Buffer
	switch {
	case c.IsSet("as"):
		err = printEngine(&printed, c, flags, parts)
	case c.Bool("json"):
		err = printLines(&printed, parts)
	default:
		err = printTable(&printed, parts)
	}
	if err != nil {
		return err
	}
	if err := place.note(c.Context, p.Plan(parts), c.Bool("replace")); err != nil {
		return err
	}
	_, err = printed.WriteTo(c.App.Writer)
	return err
}

// note notes a plan, unless that of another build is there.
func (p *place) note(ctx context.Context, made *pipeline.Plan, replace bool) error {
	data, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	noted, version, err := p.Read(ctx, planName)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return err
	case bytes.Equal(noted, data):
		return nil
	case !replace:
		return fmt.Errorf("%w: %s has the plan of another build, or of another program or other sources: use another place, or --replace",
			pipeline.ErrPlan, p)
	}
	_, err = p.Swap(ctx, planName, version, data)
	return err
}

// runStep runs the step of the argument.
func runStep(c *cli.Context, build Builder) error {
	id := c.Args().First()
	if c.NArg() != 1 || c.Int("attempt") < 1 {
		return fmt.Errorf("%w: one ID of a step, and an attempt from 1", ErrUsage)
	}
	p, faults, err := build(c)
	if err == nil {
		err = faults.Err()
	}
	if err != nil {
		return err
	}
	a := &attempt{build: p, number: c.Int("attempt")}
	if a.place, err = openPlace(c.Context, c.String("work")); err != nil {
		return err
	}
	var made pipeline.Plan
	if err := a.place.readJSON(c.Context, planName, &made); errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("step %s: %w: the plan; quartier step plan notes it in %s", id, ErrAbsent, a.place)
	} else if err != nil {
		return err
	}
	if a.kept = (objects{c.String("objects"), c.Int64("objects-gb") * 1e9}); a.kept.limit < 0 {
		return fmt.Errorf("%w: --objects-gb is at least 0", ErrUsage)
	}
	a.dir = filepath.Join(scratch(c, a.place), id, strconv.Itoa(a.number))
	if p.Out = filepath.Join(a.dir, "out"); id == pipeline.PublishPart && a.place.folder != "" {
		p.Out = filepath.Join(a.place.folder, "release")
	}
	dir, err := publish.At(p.Out)
	if err != nil {
		return err
	}
	p.Work = dir.Scratch()
	if a.parts, err = p.Assume(c.Context, &made); err != nil {
		return err
	}
	return a.run(c.Context, id)
}

// scratch is the folder in which attempts work.
func scratch(c *cli.Context, p *place) string {
	if given := c.String("scratch"); given != "" {
		return given
	}
	if p.folder != "" {
		return filepath.Join(p.folder, "attempts")
	}
	return filepath.Join(os.TempDir(), "quartier-"+sum(p.String())[:8])
}
