package explore

import (
	"errors"
	"fmt"
	"strings"

	"quartier/serve/account"
)

// ErrAccount is wrapped by errors of Choose.
var ErrAccount = errors.New("no account for the explorer")

// Choose returns the account that sessions are bound to: that with a client_id, or the only one of a customer with a name.
// Without a name it is the only account that there is. Revoked accounts cannot be chosen.
func Choose(all []*account.Client, name string) (*account.Client, error) {
	var live, named, revoked []*account.Client
	for _, c := range all {
		matches := name == "" || c.ID == name || c.Customer == name
		switch {
		case c.RevokedAt == "":
			live = append(live, c)
			if matches {
				named = append(named, c)
			}
		case matches:
			revoked = append(revoked, c)
		}
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1 && name == "":
		return nil, fmt.Errorf("%w: there are several; give --explore-account one of %s", ErrAccount, list(named))
	case len(named) > 1:
		return nil, fmt.Errorf("%w: the customer %q has several; give the client_id of one: %s", ErrAccount, name, list(named))
	case len(revoked) > 0 && name != "":
		return nil, fmt.Errorf("%w: %q is revoked since %s", ErrAccount, name, revoked[len(revoked)-1].RevokedAt)
	case len(live) == 0:
		return nil, fmt.Errorf("%w: there is none in the state; make one with quartier account create", ErrAccount)
	}
	return nil, fmt.Errorf("%w: there is no %q; the accounts are %s", ErrAccount, name, list(live))
}

// mostListed limits the accounts that an error names.
const mostListed = 10

func list(clients []*account.Client) string {
	var names []string
	for _, c := range clients[:min(len(clients), mostListed)] {
		names = append(names, fmt.Sprintf("%s (%s)", c.ID, c.Customer))
	}
	text := strings.Join(names, ", ")
	if more := len(clients) - mostListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
