package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
	"quartier/serve/state"
)

func stateFlag() cli.Flag {
	return &cli.StringFlag{Name: "state", Usage: "`DSN` of the state database, such as sqlite:state.db or postgres://user@host/database",
		EnvVars: []string{"QUARTIER_STATE"}, Required: true}
}

func accountCommand() *cli.Command {
	return &cli.Command{
		Name:  "account",
		Usage: "create, list and revoke the accounts that may call the server",
		Subcommands: []*cli.Command{{
			Name:  "create",
			Usage: "create an account and print its client_id and client_secret; the secret is not shown again",
			Flags: []cli.Flag{
				stateFlag(),
				&cli.StringFlag{Name: "customer", Usage: "`NAME` of the customer, the owner of private geographies", Required: true},
				&cli.StringFlag{Name: "regions", Usage: "comma-separated region `CODES` such as CA,US_OR (default: Canada and the United States)"},
				&cli.StringFlag{Name: "products", Usage: "comma-separated product `NAMES`: " + strings.Join(account.Products, ", ") +
					" (default: all)"},
				&cli.StringFlag{Name: "scores", Usage: "comma-separated score `NAMES` (default: all 18)"},
				&cli.BoolFlag{Name: "custom-geographies", Usage: "allow managing private geographies"},
				&cli.IntFlag{Name: "rate", Usage: "requests per second, shared by the credentials of the customer", Value: account.DefaultRate},
				&cli.IntFlag{Name: "open-requests", Usage: "custom geographies that may wait for their publication, of all credentials of the customer",
					Value: account.DefaultOpenRequests},
			},
			Action: createAccount,
		}, {
			Name:   "list",
			Usage:  "print all accounts as JSON, without secrets",
			Flags:  []cli.Flag{stateFlag()},
			Action: listAccounts,
		}, revokeCommand("revoke an account and its keys; running servers refuse them within seconds", "CLIENT_ID", "CLIENT_ID",
			(*state.Store).Revoke), accessKeyCommand()},
	}
}

// revokeCommand revokes what an argument names, which errors call what.
func revokeCommand(usage, argument, what string, revoke func(*state.Store, string) error) *cli.Command {
	return &cli.Command{
		Name:      "revoke",
		Usage:     usage,
		ArgsUsage: argument,
		Flags:     []cli.Flag{stateFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{fmt.Errorf("exactly one %s is required", what)}
			}
			return withStore(c, func(store *state.Store) error { return revoke(store, c.Args().First()) })
		},
	}
}

func keyCommand() *cli.Command {
	return &cli.Command{
		Name:  "key",
		Usage: "rotate the key that signs tokens; make and show keys that sign releases",
		Subcommands: append(releaseKeyCommands(), &cli.Command{
			Name:  "rotate",
			Usage: "add a signing key; tokens signed with the previous key stay valid, older ones expire",
			Flags: []cli.Flag{stateFlag()},
			Action: func(c *cli.Context) error {
				return withStore(c, func(store *state.Store) error { return store.RotateKey() })
			},
		}),
	}
}

func withStore(c *cli.Context, do func(*state.Store) error) error {
	store, err := state.Open(c.String("state"))
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

func createAccount(c *cli.Context) error {
	if c.Int("rate") < 1 {
		return usageError{errors.New("--rate must be at least 1")}
	}
	if c.Int("open-requests") < 1 {
		return usageError{errors.New("--open-requests must be at least 1")}
	}
	if err := refuseEmpty(c, "allow all", "regions", "products", "scores"); err != nil {
		return err
	}
	return withStore(c, func(store *state.Store) error {
		client, made, err := store.Create(c.String("customer"), account.Agreement{
			Products: list(c, "products"), Scores: list(c, "scores"), Regions: list(c, "regions"),
			CustomGeographies: c.Bool("custom-geographies"), Rate: c.Int("rate"), OpenRequests: c.Int("open-requests"),
		})
		if err != nil {
			return err
		}
		return printJSON(c.App.Writer, struct {
			account.Credentials
			Customer  string            `json:"customer"`
			Agreement account.Agreement `json:"agreement"`
		}{made, client.Customer, client.Agreement})
	})
}

func listAccounts(c *cli.Context) error {
	return withStore(c, func(store *state.Store) error {
		all, err := store.Accounts(c.Context)
		if err != nil {
			return err
		}
		for _, damaged := range all.Damaged {
			fmt.Fprintf(c.App.ErrWriter, "quartier: warning: damaged and not used: %v\n", damaged)
		}
		clients := append([]*account.Client{}, all.Clients...)
		return printJSON(c.App.Writer, struct {
			Accounts []*account.Client `json:"accounts"`
		}{clients})
	})
}

// refuseEmpty fails for flags that are given without a value: an unset shell variable must not grant everything. meaning is what those
// who want that omit a flag for.
func refuseEmpty(c *cli.Context, meaning string, flags ...string) error {
	for _, flag := range flags {
		if c.IsSet(flag) && len(list(c, flag)) == 0 {
			return usageError{fmt.Errorf("--%s is empty; omit it to %s", flag, meaning)}
		}
	}
	return nil
}

// list splits a comma-separated flag; it is nil if the flag is absent or empty.
func list(c *cli.Context, flag string) []string {
	var out []string
	for _, item := range strings.Split(c.String(flag), ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
