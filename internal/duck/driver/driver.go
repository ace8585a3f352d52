// Package driver links DuckDB into a program, for internal/duck; it is the only package of the stages that imports the driver
// of DuckDB. Those import it, for nothing but that, which open databases; what is passed one, or types of rows, is compiled and
// tested without DuckDB.
package driver

import (
	"context"
	"database/sql/driver"

	"github.com/apache/arrow/go/v17/arrow/array"
	duckdb "github.com/marcboeker/go-duckdb"

	"quartier/internal/duck"
)

func init() {
	duck.Register(duck.Driver{
		Connect: func(dsn string) (duck.Connector, error) { return duckdb.NewConnector(dsn, nil) },
		Append: func(conn driver.Conn, table string) (duck.Rows, error) {
			return duckdb.NewAppenderFromConn(conn, "", table)
		},
		Records: func(ctx context.Context, conn driver.Conn, query string) (array.RecordReader, error) {
			reader, err := duckdb.NewArrowFromConn(conn)
			if err != nil {
				return nil, err
			}
			return reader.QueryContext(ctx, query)
		},
	})
}
