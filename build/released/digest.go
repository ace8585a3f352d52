package released

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"quartier/schemas"
)

// HashFile returns the SHA-256 of a file in lower-case hex and its size in bytes.
func HashFile(ctx context.Context, path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	h := sha256.New()
	buffer := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		n, err := file.Read(buffer)
		h.Write(buffer[:n])
		size += int64(n)
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), size, nil
		}
		if err != nil {
			return "", 0, fmt.Errorf("read %s: %w", path, err)
		}
	}
}

// FilesOf are the names of the files of a release with some sources, sorted.
func FilesOf(sources []schemas.ReleaseSource) []string {
	if !slices.ContainsFunc(sources, func(s schemas.ReleaseSource) bool { return s.Kind == schemas.AddressesKind }) {
		return Files
	}
	return slices.Sorted(slices.Values(append(slices.Clone(Files), schemas.AddressesPack)))
}

// Files are the names of the files of every release except for its manifest, sorted.
var Files = []string{
	schemas.AccessPack, schemas.AccessFile, schemas.DemographicsPack, schemas.DemographicsFile,
	schemas.BridgeFile, schemas.GeographiesPack, schemas.GeographiesFile, schemas.GroundFile, schemas.HeatFile,
	schemas.POIsPack, schemas.POIsFile,
	schemas.ProfilesPack, schemas.ProfilesFile, schemas.ReachPack,
	schemas.SchoolsPack, schemas.SchoolsFile, schemas.SmallAreasPack, schemas.TilesFile, schemas.TravelPack, schemas.TravelFile,
}

// PrivateFiles are those of a component private, sorted.
var PrivateFiles = []string{
	schemas.AccessPack, schemas.AccessFile, schemas.DemographicsPack, schemas.DemographicsFile, schemas.GeographiesPack,
	schemas.GeographiesFile,
	schemas.OutcomesFile, schemas.OwnersPack, schemas.PrivateFile, schemas.ProfilesPack, schemas.ProfilesFile,
}

var createTable = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)

// tableNames returns the names of the tables that DDL creates and those of the provenance, sorted.
func tableNames(ddl string) (names []string) {
	for _, match := range createTable.FindAllStringSubmatch(ddl+schemas.BundleProvenance, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return names
}

// fileTables are the tables of each SpatiaLite file.
var fileTables = map[string][]string{
	schemas.AccessFile:       tableNames(schemas.BundleAccess + schemas.StreetNodeDDL()),
	schemas.DemographicsFile: tableNames(schemas.BundleDemographics),
	schemas.GeographiesFile:  tableNames(schemas.BundleGeographies),
	// market_cell has the statistics of the pack, and verify compares them
	schemas.MarketFile:   tableNames(schemas.BundleMarket + schemas.BundleMarketRows),
	schemas.POIsFile:     tableNames(schemas.BundlePOIs),
	schemas.PrivateFile:  tableNames(schemas.BundlePrivate),
	schemas.ProfilesFile: tableNames(schemas.BundleProfiles),
	schemas.SchoolsFile:  tableNames(schemas.BundleSchools),
	schemas.TravelFile:   tableNames(schemas.BundleTravel),
}

// DigestTable counts the rows of a table and computes their digest, in the order of the primary key. Values are hashed
// with type and length, so that different rows have different digests.
func DigestTable(ctx context.Context, db *sql.DB, table string) (schemas.ReleaseTable, error) {
	t := schemas.ReleaseTable{Name: table}
	columns, order, err := tableColumns(ctx, db, table)
	if err != nil {
		return t, fmt.Errorf("digest table %s: %w", table, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", columns)
	values := make([]any, len(columns))
	targets := make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	var buffer []byte
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + table + order
	err = Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		buffer = buffer[:0]
		for _, v := range values {
			if buffer, err = appendValue(buffer, v); err != nil {
				return err
			}
		}
		h.Write(buffer)
		t.Rows++
		return nil
	})
	if err != nil {
		return t, fmt.Errorf("digest table %s: %w", table, err)
	}
	t.Digest = hex.EncodeToString(h.Sum(nil))
	return t, nil
}

// tableColumns returns the columns of a table and an ORDER BY clause with its primary key, or with all columns where it
// has none.
func tableColumns(ctx context.Context, db *sql.DB, table string) (columns []string, order string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", table)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	keys := map[int]string{}
	for rows.Next() {
		var name string
		var pk int
		if err := rows.Scan(&name, &pk); err != nil {
			return nil, "", err
		}
		columns = append(columns, name)
		if pk > 0 {
			keys[pk] = name
		}
	}
	if err := rows.Err(); err != nil {
		return nil, "", err
	}
	if len(columns) == 0 {
		return nil, "", fmt.Errorf("no such table")
	}
	by := columns
	if len(keys) > 0 {
		by = nil
		for i := range len(keys) {
			by = append(by, keys[i+1])
		}
	}
	return columns, " ORDER BY " + strings.Join(by, ", "), nil
}

func appendValue(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(out, 'n'), nil
	case int64:
		return binary.LittleEndian.AppendUint64(append(out, 'i'), uint64(v)), nil
	case float64:
		return binary.LittleEndian.AppendUint64(append(out, 'f'), math.Float64bits(v)), nil
	case string:
		return append(binary.LittleEndian.AppendUint64(append(out, 's'), uint64(len(v))), v...), nil
	case []byte:
		return append(binary.LittleEndian.AppendUint64(append(out, 'b'), uint64(len(v))), v...), nil
	}
	return nil, fmt.Errorf("value of type %T", v)
}

// Describe returns the manifest's entry of the file at path, with the tables of a SpatiaLite file.
func Describe(ctx context.Context, path, name string) (schemas.ReleaseFile, error) {
	f := schemas.ReleaseFile{Name: name}
	var err error
	if f.SHA256, f.Bytes, err = HashFile(ctx, path); err != nil {
		return f, err
	}
	f.Tables, err = DescribeTables(ctx, path, name)
	return f, err
}

// DescribeTables computes the digests of the tables of a SpatiaLite file in parallel; nil for other files.
func DescribeTables(ctx context.Context, path, name string) ([]schemas.ReleaseTable, error) {
	tables, isDatabase := fileTables[name]
	if !isDatabase {
		return nil, nil
	}
	db, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	list, errs := make([]schemas.ReleaseTable, len(tables)), make([]error, len(tables))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, table := range tables {
		all.Go(func() error {
			list[i], errs[i] = DigestTable(ctx, db, table)
			return nil
		})
	}
	all.Wait()
	for _, err := range errs { // the first one by table, independent of timing
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return list, nil
}
