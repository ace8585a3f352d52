package released

import (
	"database/sql"
	"fmt"
	"path/filepath"

	"quartier/schemas"
)

// OpenMarket opens market.sqlite of the component in a folder, of any layout, for reading, on one connection, with the files of
// its years attached, if it has them: the views market_stat and interval are those of all files.
func OpenMarket(dir string) (*sql.DB, error) {
	head, err := schemas.ReadHead(dir)
	if err != nil {
		return nil, err
	}
	dsn, err := DSN(filepath.Join(dir, schemas.MarketFile))
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	stat, interval := "CREATE TEMP VIEW market_stat AS SELECT * FROM main.market_stat",
		"CREATE TEMP VIEW interval AS SELECT * FROM main.interval"
	for _, file := range head.Files {
		var year int
		if _, err := fmt.Sscanf(file.Name, "market-%d.sqlite", &year); err != nil || file.Name != schemas.MarketYear(schemas.MarketFile, year) {
			continue
		}
		name := fmt.Sprintf("year%d", year)
		if err := Attach(db, filepath.Join(dir, file.Name), name); err != nil {
			db.Close()
			return nil, err
		}
		stat, interval = stat+" UNION ALL SELECT * FROM "+name+".market_stat", interval+" UNION ALL SELECT * FROM "+name+".interval"
	}
	if _, err := db.Exec(stat + "; " + interval); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return db, nil
}
