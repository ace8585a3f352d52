package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/publish"
	"quartier/build/verify"
	"quartier/schemas"
)

// errRequests is the error of a requests file that cannot be read.
var errRequests = errors.New("not a requests file")

func requestFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "requests", Usage: "`FILE` of quartier update start: also write its custom geographies, to OUT-private"},
		&cli.StringFlag{Name: "previous-private", Usage: "`DIR` of the component private that is continued (default: PREVIOUS-private, if it is there)"},
	}
}

// customBuild is the build of a component private beside a release.
type customBuild struct {
	file, previous string // requests file, and the component that is continued; "": none
	out            string
	force          bool

	requests *schemas.Requests
	sum      string
	bytes    int64
}

// customBuildOf is the build that the flags ask for; nil if there are no requests.
func customBuildOf(c *cli.Context, out string) (*customBuild, error) {
	b := &customBuild{file: c.String("requests"), previous: c.String("previous-private"), out: private.Folder(out), force: c.Bool("force")}
	if b.file == "" {
		if b.previous != "" {
			return nil, usageError{errors.New("--previous-private is for --requests")}
		}
		return nil, nil
	}
	if previous := c.String("previous"); b.previous == "" && previous != "" {
		beside := private.Folder(previous)
		if _, err := os.Stat(filepath.Join(beside, schemas.ManifestFile)); err == nil {
			b.previous = beside
		}
	}
	return b, nil
}

// check reads the requests, and finds what is known to be wrong before the build.
func (b *customBuild) check(ctx context.Context) error {
	if b == nil {
		return nil
	}
	var errs []error
	var err error
	if b.requests, b.sum, err = schemas.ReadRequests(b.file); err != nil {
		errs = append(errs, fmt.Errorf("--requests: %w: %w", errRequests, err))
	} else if info, err := os.Stat(b.file); err == nil {
		b.bytes = info.Size()
	}
	if b.previous != "" {
		if _, err := schemas.ReadPrivateManifest(b.previous); err != nil {
			errs = append(errs, fmt.Errorf("--previous-private %s: %w: %w", b.previous, errPrevious, err))
		}
	}
	if len(errs) == 0 {
		errs = append(errs, private.Check(ctx, b.requests, b.previous))
	}
	return errors.Join(append(errs, publish.CheckReplaceable(b.out, b.force))...)
}

// buildCustom builds the component beside the places of the pipeline.
func (p *pipeline) buildCustom(ctx context.Context, regions []assembly.Region) error {
	b := p.custom
	if b == nil {
		return nil
	}
	manifest, outcomes, err := private.Build(ctx, private.Options{
		Regions: regions, Places: p.out, Requests: b.requests, SHA256: b.sum, Bytes: b.bytes, Previous: b.previous,
		Out: b.out, Force: b.force, ToolVersion: version(), Log: p.log,
	})
	if err != nil {
		return err
	}
	return printPrivate(p.screen, manifest, outcomes, b.out)
}

// printPrivate prints a summary of a component private: counts, and the ids of requests that cannot be built.
func printPrivate(w io.Writer, m *schemas.PrivateManifest, outcomes *schemas.Outcomes, dir string) error {
	fmt.Fprintf(w, "\nCustom geographies of general update %d as of %s, digest %s\n", m.Update, m.AsOf, m.Digest)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	c := &m.Counts
	fmt.Fprintf(table, "  current\t%s\tof customers: %s, superseded: %s, deprecated: %s\n", thousands(c.Geographies), thousands(c.Customers), thousands(c.Superseded), thousands(c.Deprecated))
	fmt.Fprintf(table, "  with scores\t%s\twith demographics: %s, with profiles: %s\n", thousands(c.ScoredGeographies), thousands(c.DescribedGeographies), thousands(c.Profiles))
	for _, file := range m.Files {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", file.Name, bytesText(file.Bytes), file.SHA256)
	}
	table.Flush()
	for _, o := range outcomes.Outcomes {
		if o.Problem != "" {
			fmt.Fprintf(w, "  not built: %s; %s says why\n", o.ID, schemas.OutcomesFile)
		}
	}
	for _, note := range m.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	_, err := fmt.Fprintf(w, "  beside the release %s\n  folder: %s\n", m.Places, filepath.Clean(dir))
	return err
}

// verifyPrivate is verify for a component private.
func verifyPrivate(c *cli.Context, dir string) error {
	result, err := verify.Private(c.Context, dir, "")
	if err != nil {
		return fmt.Errorf("verify %s: %w", dir, err)
	}
	manifest, err := schemas.ReadPrivateManifest(dir)
	if err != nil {
		return err
	}
	outcomes, err := schemas.ReadOutcomes(filepath.Join(dir, schemas.OutcomesFile))
	if err != nil {
		return err
	}
	fmt.Fprintln(c.App.Writer, result)
	return printPrivate(c.App.Writer, manifest, outcomes, dir)
}
