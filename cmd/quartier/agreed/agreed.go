// Package agreed finds what a customer may have: the agreement of its accounts in the state, for commands that answer as the
// API would answer it.
package agreed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/export"
	"quartier/build/publish"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/state"
)

// The errors of finding an agreement.
var (
	ErrUnknown = errors.New("no agreement")            // no account of the customer that is not revoked
	ErrSeveral = errors.New("several agreements")      // of accounts of the customer
	ErrUsage   = errors.New("options of the customer") // that contradict each other
)

// Flags are --customer, --state and --account.
func Flags(what string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "customer", Usage: what +
			" the customer with this `NAME`: regions, products and scores of its agreement, and its custom geographies (default: the operator's, " +
			"without limits and custom geographies)"},
		&cli.StringFlag{Name: "state", Usage: "`DSN` of the state database with the agreement, with --customer",
			EnvVars: []string{"QUARTIER_STATE"}},
		&cli.StringFlag{Name: "account", Usage: "`CLIENT_ID` of the account whose agreement applies, if those of the customer differ"},
	}
}

// FromFlags is the agreement that the flags name; nil without --customer.
func FromFlags(c *cli.Context) (*account.Agreement, error) {
	name := c.String("customer")
	switch {
	case name == "" && c.IsSet("customer"):
		return nil, fmt.Errorf("%w: --customer has no name", ErrUsage) // an unset shell variable must not grant everything
	case name == "" && c.String("account") != "":
		return nil, fmt.Errorf("%w: --account is for --customer", ErrUsage)
	case name == "":
		return nil, nil
	case c.String("state") == "":
		return nil, fmt.Errorf("%w: give --state, which has the agreement of %s", ErrUsage, name)
	}
	if path := strings.TrimPrefix(c.String("state"), "sqlite:"); !strings.Contains(path, "://") {
		if _, err := os.Stat(path); err != nil { // Open would create it
			return nil, fmt.Errorf("open state: %w", err)
		}
	}
	store, err := state.Open(c.String("state"))
	if err != nil {
		return nil, err
	}
	accounts, err := store.Accounts(c.Context)
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, err
	}
	return agreementOf(accounts, name, c.String("account"))
}

// agreementOf is the agreement of a customer's accounts that are not revoked, or that of one of them. What several accounts may
// have together is no agreement: products of one and regions of another would be more than either.
func agreementOf(accounts *account.Accounts, customer, id string) (*account.Agreement, error) {
	var found []*account.Client
	for _, c := range accounts.Clients {
		if c.Customer == customer && c.RevokedAt == "" && (id == "" || c.ID == id) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		what := "customer " + customer
		if id != "" {
			what += " with the account " + id
		}
		return nil, errors.Join(fmt.Errorf("%w: the state has no account of %s that is not revoked", ErrUnknown, what),
			errors.Join(accounts.Damaged...))
	}
	first := granted(found[0])
	for _, c := range found[1:] {
		if !reflect.DeepEqual(granted(c), first) {
			var ids []string
			for _, c := range found {
				ids = append(ids, c.ID)
			}
			return nil, fmt.Errorf("%w: the accounts of %s may have different things; name one of them with --account: %s", ErrSeveral, customer,
				strings.Join(ids, ", "))
		}
	}
	return &found[0].Agreement, nil
}

// granted is the part of an agreement that limits data.
func granted(c *account.Client) [3]string {
	a := &c.Agreement
	return [3]string{strings.Join(a.Products, ","), strings.Join(a.Scores, ","), strings.Join(a.Regions, ",")}
}

// ForExport is FromFlags for an export.
func ForExport(c *cli.Context) (*export.Agreement, error) {
	a, err := FromFlags(c)
	if err != nil || a == nil {
		return nil, err
	}
	return &export.Agreement{Products: a.Products, Scores: a.Scores, Regions: a.Regions}, nil
}

// Private is the folder of the component private beside places: the one that is given, else that of the pointer of a folder of
// releases, or the folder of places with its suffix. It is "" where none is given and there is none.
func Private(release, places, given string) (folder string, err error) {
	folder = given
	if folder == "" {
		pointer, err := schemas.ReadPointer(release)
		if err != nil {
			return "", err
		}
		if pointer == nil {
			folder = publish.PrivateFolder(places)
		} else if folder, err = schemas.ComponentFolder(release, schemas.Private); err != nil || folder == "" {
			return "", err
		}
	}
	_, err = schemas.ReadPrivateManifest(folder)
	if errors.Is(err, fs.ErrNotExist) && given == "" {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("custom geographies of %s: %w", folder, err)
	}
	return folder, nil
}
