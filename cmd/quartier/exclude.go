package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/serve/state"
)

// requestID is the id of a request that is the only argument.
func requestID(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usageError{errors.New("ID is required, after the flags: the geo_entity_id of a request")}
	}
	return c.Args().First(), nil
}

func excludeRequest(c *cli.Context) error {
	id, err := requestID(c)
	if err != nil {
		return err
	}
	why := strings.TrimSpace(c.String("why"))
	if why == "" {
		return usageError{errors.New("--why is empty")}
	}
	return withStore(c, func(store *state.Store) error {
		u, err := store.ExcludeRequest(c.Context, id, why)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.App.Writer, "%s is in no general update until it is edited, or included by quartier update include\n", id)
		if u != nil {
			fmt.Fprintf(c.App.Writer, "It left general update %d: write its requests again by quartier update file, and build them\n", u.Number)
		}
		return nil
	})
}

func includeRequest(c *cli.Context) error {
	id, err := requestID(c)
	if err != nil {
		return err
	}
	return withStore(c, func(store *state.Store) error {
		if err := store.IncludeRequest(c.Context, id); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.App.Writer, "%s is part of the next general update that starts\n", id)
		return err
	})
}
