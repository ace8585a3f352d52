package main

import (
	"github.com/urfave/cli/v2"

	"quartier/serve/state"
)

func stateCommand() *cli.Command {
	return &cli.Command{
		Name:  "state",
		Usage: "bring the state of an older program to the version of this one",
		Subcommands: []*cli.Command{{
			Name:  "migrate",
			Usage: "apply the missing migrations, or create the state; back it up and stop the servers of the old version first",
			Flags: []cli.Flag{stateFlag()},
			Action: func(c *cli.Context) error {
				from, err := state.Migrate(c.String("state"))
				if err != nil {
					return err
				}
				return printJSON(c.App.Writer, struct {
					From int `json:"from"` // 0: created
					To   int `json:"to"`
				}{from, state.Version})
			},
		}},
	}
}
