package tiles

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// scores emits the edges of the walking network as two halves, each with the scores of the node at which it begins, so that
// whatever is drawn is what the server answers there. Halves of nodes without any score are left out.
func (s *scan) scores(ctx context.Context) (err error) {
	nodes, err := s.nodeScores(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, nodes.Close(), os.Remove(nodes.Name())) }()
	values, props := make([]byte, len(schemas.Scores)), make(properties, len(schemas.Scores))
	half := func(node int64, class string, line orb.LineString) error {
		if _, err := nodes.ReadAt(values, node*int64(len(values))); err != nil {
			return fmt.Errorf("street node %d: %w", node, err)
		}
		known := false
		for i, v := range values {
			if props[i] = nil; v > 0 {
				props[i], known = int64(v-1), true
			}
		}
		if !known {
			return nil
		}
		return s.line(&feature{layer: heat, min: heatZoom(class), number: uint64(node), props: props.encode()}, line)
	}
	const query = "SELECT a, b, class, geometry FROM street_edge ORDER BY fid"
	return s.eachRow(ctx, schemas.AccessFile, query, sqlrow.Visit4(func(a, b int64, class string, blob sql.RawBytes) error {
		line, err := released.ReadLine(blob)
		if err != nil {
			return fmt.Errorf("edge %d to %d: %w", a, b, err)
		}
		first, second := halves(line)
		if err := half(a, class, first); err != nil {
			return err
		}
		return half(b, class, second)
	}))
}

// nodeScores writes the scores of each node to a temporary file, a byte each: stepsOf and one, 0 where it is not known. The
// record of a node is at its fid.
func (s *scan) nodeScores(ctx context.Context) (_ *os.File, err error) {
	file, err := os.Create(filepath.Join(s.in.Scratch, "nodes.scores"))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}()
	values := make([]sql.NullInt64, len(schemas.Scores))
	record := make([]byte, len(values))
	var fid int64
	targets := []any{&fid}
	for i := range values {
		targets = append(targets, &values[i])
	}
	out := bufio.NewWriterSize(file, 1<<18)
	out.Write(record) // there is no node 0
	next := int64(1)
	query := "SELECT fid, " + strings.Join(schemas.ScoreIDs(), ", ") + " FROM street_node ORDER BY fid"
	err = s.eachRow(ctx, schemas.AccessFile, query, func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if fid != next {
			return fmt.Errorf("street node %d after %d", fid, next-1)
		}
		next++
		for i, v := range values {
			if record[i] = 0; v.Valid {
				record[i] = byte(stepsOf(v.Int64) + 1)
			}
		}
		_, err := out.Write(record)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	return file, err
}

// stepsOf is a stored score in twentieths of a point, rounded: 0 to 100.
func stepsOf(stored int64) int64 { return (stored*20 + schemas.UnitValue/2) / schemas.UnitValue }

// halves cuts a line in its middle. Each half begins at an end of the line.
func halves(line orb.LineString) (first, second orb.LineString) {
	left := geo.Length(line) / 2
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		long := geo.Distance(a, b)
		if left > long && i < len(line)-1 {
			left -= long
			continue
		}
		share := 0.5
		if long > 0 {
			share = min(left/long, 1)
		}
		middle := orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
		first = append(append(first, line[:i]...), middle)
		second = append(append(second, middle), line[i:]...)
		break
	}
	second.Reverse()
	return first, second
}

// heatZoom is the lowest zoom at which an edge of a class is coloured: of a city at zoom 10 its main streets, which show what
// the others would.
func heatZoom(class string) uint8 {
	kind, _, _ := kindOf(class)
	switch kind {
	case "motorway", "trunk", "primary", "secondary":
		return MinHeatZoom
	case "tertiary":
		return MinHeatZoom + 1
	case "unclassified", "residential", "living_street", "pedestrian":
		return MinHeatZoom + 2
	case "cycleway", "path", "track":
		return MinHeatZoom + 3
	}
	return MaxZoom
}
