package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/build"
	"quartier/schemas"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "recompute every digest and count of a release and fail on anything unexpected",
		ArgsUsage: "DIR",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("give one release DIR")}
			}
			dir := c.Args().First()
			result, err := build.Verify(c.Context, dir)
			if err != nil {
				return err
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

func compareCommand() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "say what changed between two releases",
		ArgsUsage: "OLD NEW",
		Action: func(c *cli.Context) error {
			if c.NArg() != 2 {
				return usageError{errors.New("give the OLD and the NEW release DIR")}
			}
			change, err := build.Compare(c.Context, c.Args().Get(0), c.Args().Get(1))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.App.Writer, change)
			return err
		},
	}
}
