package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/build/verify"
	"quartier/cmd/quartier/pipeline"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
)

func requestFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "requests",
			Usage: "`FILE` of quartier update start: also write its custom geographies, to OUT-private (by steps: to release-private)"},
		&cli.StringFlag{Name: "previous-private",
			Usage: "`DIR` of the component private that is continued (default: PREVIOUS-private, if it is there)"},
	}
}

// customBuildOf is the build that the flags ask for; nil if there are no requests.
func customBuildOf(c *cli.Context) (*pipeline.Custom, error) {
	b := &pipeline.Custom{File: c.String("requests"), Previous: c.String("previous-private")}
	if b.File == "" {
		if b.Previous != "" {
			return nil, usageError{errors.New("--previous-private is for --requests")}
		}
		return nil, nil
	}
	if previous := c.String("previous"); b.Previous == "" && previous != "" {
		beside := publish.PrivateFolder(previous)
		if _, err := os.Stat(filepath.Join(beside, schemas.ManifestFile)); err == nil {
			b.Previous = beside
		}
	}
	return b, nil
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
	return summary.Private(c.App.Writer, manifest, outcomes, dir)
}
