package endpoint

import (
	"quartier/schemas"
	"quartier/serve/account"
)

// Client is what endpoints know of the caller.
type Client struct {
	ID        string // the client_id
	Customer  string // to whom it belongs
	Agreement *account.Agreement
	Scores    ScoreSet // of the agreement
}

// NewClient resolves the agreement of an account.
func NewClient(of *account.Client) Client {
	a := &of.Agreement
	c := Client{ID: of.ID, Customer: of.Customer, Agreement: a}
	for i, s := range schemas.Scores {
		if a.AllowsScore(s.ID) {
			c.Scores |= 1 << i
		}
	}
	return c
}

// ScoreSet is a set of scores, a bit each by index in schemas.Scores.
type ScoreSet uint32

// Select returns the scores of a request: the selected ones, or all of the agreement where none is selected. It fails
// with ErrForbiddenValue where one is not in the agreement.
func (c *Client) Select(selected uint64) (ScoreSet, error) {
	set := ScoreSet(selected)
	if set == 0 {
		return c.Scores, nil
	}
	if set&^c.Scores != 0 {
		return 0, ErrForbiddenValue
	}
	return set, nil
}
