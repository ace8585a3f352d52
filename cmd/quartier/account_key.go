package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
	"quartier/serve/state"
)

func accessKeyCommand() *cli.Command {
	return &cli.Command{
		Name:  "key",
		Usage: "create, list and revoke the keys of an account for web pages (publishable) and for pictures (signing)",
		Subcommands: []*cli.Command{{
			Name:  "create",
			Usage: "create a key and print it; neither a publishable key nor the secret of a signing key is shown again",
			Flags: []cli.Flag{
				stateFlag(),
				&cli.StringFlag{Name: "customer", Usage: "`NAME` of the customer", Required: true},
				&cli.StringFlag{Name: "account", Usage: "`CLIENT_ID` of its account that the key is of, if it has several"},
				&cli.BoolFlag{Name: "publishable", Usage: "make a key for web pages"},
				&cli.StringSliceFlag{Name: "origin", Usage: "`ORIGIN` of the pages of a publishable key, such as https://portal.example; " +
					"can be given several times"},
				&cli.BoolFlag{Name: "signing", Usage: "make a key with a secret, which signs addresses of /v3/card.svg and /v3/card.png"},
				&cli.IntFlag{Name: "rate", Usage: "requests per second with the key, beside those of the customer", Value: account.DefaultRate},
				&cli.StringFlag{Name: "scores", Usage: "comma-separated score `NAMES` (default: those of the account)"},
				&cli.StringFlag{Name: "regions", Usage: "comma-separated region `CODES` such as CA,US_OR (default: those of the account)"},
			},
			Action: createAccessKey,
		}, {
			Name:   "list",
			Usage:  "print all keys as JSON, by their ids",
			Flags:  []cli.Flag{stateFlag()},
			Action: listAccessKeys,
		}, revokeCommand("revoke a key by its id, or by itself as it stands in a page; running servers refuse it within seconds", "ID",
			"ID of a key", func(store *state.Store, key string) error { return store.RevokeKey(account.AccessID(key)) })},
	}
}

func createAccessKey(c *cli.Context) error {
	terms := account.AccessKey{Kind: account.Publishable, Origins: slices.Clone(c.StringSlice("origin")), Scores: list(c, "scores"),
		Regions: list(c, "regions"), Rate: c.Int("rate")}
	switch {
	case c.Bool("publishable") == c.Bool("signing"):
		return usageError{errors.New("give one of --publishable and --signing")}
	case c.Bool("publishable") && len(terms.Origins) == 0:
		return usageError{errors.New("--publishable needs --origin, the origin of the pages such as https://portal.example")}
	case c.Bool("signing") && len(terms.Origins) > 0:
		return usageError{errors.New("--origin is for --publishable: pictures are shown in e-mail too")}
	case terms.Rate < 1:
		return usageError{errors.New("--rate must be at least 1")}
	case c.Bool("signing"):
		terms.Kind = account.Signing
	}
	if err := refuseEmpty(c, "take what there is", "account", "scores", "regions"); err != nil {
		return err
	}
	return withStore(c, func(store *state.Store) error {
		key, made, err := store.CreateKey(c.String("customer"), c.String("account"), terms)
		if err != nil {
			return err
		}
		return printJSON(c.App.Writer, struct {
			account.AccessCredentials
			*account.AccessKey
		}{made, key})
	})
}

func listAccessKeys(c *cli.Context) error {
	return withStore(c, func(store *state.Store) error {
		all, err := store.Accounts(c.Context) // account list warns of keys that are damaged
		if err != nil {
			return err
		}
		customers := map[string]string{}
		for _, client := range all.Clients {
			customers[client.ID] = client.Customer
		}
		type listed struct {
			*account.AccessKey
			Customer string `json:"customer"`
		}
		keys := []listed{}
		for _, key := range all.Access {
			keys = append(keys, listed{key, customers[key.ClientID]})
		}
		return printJSON(c.App.Writer, struct {
			Keys []listed `json:"keys"`
		}{keys})
	})
}
