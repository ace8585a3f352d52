package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/build/market"
	"quartier/build/publish"
	"quartier/build/verify"
	"quartier/cmd/quartier/summary"
	"quartier/internal/signature"
	"quartier/schemas"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "recompute all digests and counts of a release, its custom geographies or market statistics, and fail if any differs",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{&cli.StringSliceFlag{Name: "trust",
			Usage: "public key `FILE`; fail unless one of these keys signed the manifest; may be repeated"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("exactly one release DIR or folder of releases is required")}
			}
			trust, err := signature.ReadTrust(c.StringSlice("trust")...)
			if err != nil {
				return err
			}
			folders, err := schemas.ComponentFolders(c.Args().First())
			if err != nil {
				return err
			}
			for _, dir := range folders {
				if err := verifyComponent(c, dir, trust); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// verifyComponent is verify for the folder of a component.
func verifyComponent(c *cli.Context, dir string, trust signature.Trust) error {
	if err := publish.CheckTrust(dir, trust); len(trust) > 0 && err != nil {
		return err
	}
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
	summary.Release(c.App.Writer, manifest, dir)
	return nil
}

// verifyMarket is verify for a component market.
func verifyMarket(c *cli.Context, dir string) error {
	result, err := market.Verify(c.Context, dir)
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
