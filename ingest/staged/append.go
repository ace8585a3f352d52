package staged

import (
	"context"
	"database/sql/driver"
	"errors"

	"quartier/internal/duck"
)

// appenders are the open bulk loaders of one source, by table.
type appenders struct {
	open []tableAppender
}

type tableAppender struct {
	table    string
	appender *duck.Appender
}

// row appends to a table, opening its appender at the first row.
func (a *appenders) row(ctx context.Context, db *duck.DB, table string, values []driver.Value) error {
	for _, open := range a.open {
		if open.table == table {
			return open.appender.Row(values...)
		}
	}
	appender, err := db.Append(ctx, table)
	if err != nil {
		return err
	}
	a.open = append(a.open, tableAppender{table, appender})
	return appender.Row(values...)
}

// close flushes every appender, even after one of them failed.
func (a *appenders) close() error {
	var errs []error
	for _, open := range a.open {
		errs = append(errs, open.appender.Close())
	}
	a.open = nil
	return errors.Join(errs...)
}
