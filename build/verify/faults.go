package verify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"quartier/schemas"
)

// Fault is that a geography does not verify.
type Fault struct {
	GeogID string
	Err    error
}

// Faults are those of geographies that do not verify, while the rest of what was checked does.
type Faults []Fault

// mostFaults is the number of faults of a check after which it ends.
const mostFaults = 1000

// Error is the first fault, and the number of the others.
func (f Faults) Error() string {
	if len(f) == 1 {
		return f[0].Err.Error()
	}
	return fmt.Sprintf("%v, and %d more faults", f[0].Err, len(f)-1)
}

// orNil is f as an error, nil without a fault.
func (f Faults) orNil() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// take adds the faults of an error. One of another kind ends a check; take returns the faults before it, if there are any: without
// their geographies there may be no such error.
func (f *Faults) take(err error) error {
	var found Faults
	if errors.As(err, &found) {
		*f = append(*f, found...)
		return nil
	}
	if err != nil && len(*f) > 0 {
		return *f
	}
	return err
}

// exceptions are the faults of the geographies for which a fact does not hold; another error where one of them is of no geography.
func exceptions(ctx context.Context, db *sql.DB, fact, statement string) error {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return fmt.Errorf("check that %s: %w", fact, err)
	}
	defer rows.Close()
	var found Faults
	for rows.Next() && len(found) < mostFaults {
		var example string
		if err := rows.Scan(&example); err != nil {
			return fmt.Errorf("check that %s: %w", fact, err)
		}
		id, _, _ := strings.Cut(example, " ")
		err := fmt.Errorf("%s: not so for %s", fact, example)
		if _, ok := schemas.LevelOfGeogID(id); !ok {
			return err
		}
		found = append(found, Fault{id, err})
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("check that %s: %w", fact, err)
	}
	return found.orNil()
}

// PrivateFaults looks for geographies of the component private in dir that do not verify: in the facts of its files, the shares of
// variables and the texts. Any other error is one of the component. Private checks more, and all of it.
func PrivateFaults(ctx context.Context, dir string) (Faults, error) {
	m, err := schemas.ReadPrivateManifest(dir)
	if err != nil {
		return nil, err
	}
	var found Faults
	_, err = checkPrivateDatabases(ctx, dir, m)
	err = found.take(err)
	return found, err
}
