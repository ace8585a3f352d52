package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow/array"
)

// Driver is what this package needs of DuckDB itself.
type Driver struct {
	Connect func(dsn string) (Connector, error)
	Append  func(conn driver.Conn, table string) (Rows, error)
	Records func(ctx context.Context, conn driver.Conn, query string) (array.RecordReader, error)
}

// Connector makes connections to one database until it is closed.
type Connector interface {
	driver.Connector
	io.Closer
}

// Rows takes the rows that are appended to a table.
type Rows interface {
	AppendRow(values ...driver.Value) error
	Flush() error
	Close() error
}

var linked = Driver{Connect: func(string) (Connector, error) {
	return nil, errors.New("this program does not link DuckDB: import quartier/internal/duck/driver")
}}

// Register makes DuckDB known. Package internal/duck/driver does it when a program starts.
func Register(d Driver) { linked = d }
