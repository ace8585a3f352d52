package files

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/ground"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// writeGround divides the ground of the states of the release by the small areas that were written, and writes it.
func writeGround(ctx context.Context, tx *sql.Tx, a *assembly.Assembly) error {
	in := ground.Input{}
	states, err := stateOutlines(ctx, a)
	if err != nil {
		return err
	}
	for _, s := range states {
		in.States = append(in.States, ground.Area{RegionCode: s.RegionCode})
	}
	in.State = func(i int) (orb.MultiPolygon, error) { return assembly.DecodeOutline(states[i].Geom) }
	var fids []int64
	err = released.Each(ctx, tx,
		"SELECT p.fid, p.geometry, a.region_code FROM small_area_part AS p JOIN small_area AS a ON a.fid = p.area ORDER BY p.fid", nil,
		sqlrow.Visit3(func(fid int64, blob sql.RawBytes, code string) error {
			outline, err := released.ReadMultiPolygon(blob)
			fids, in.Parts = append(fids, fid), append(in.Parts, ground.Area{RegionCode: code, Bound: outline.Bound()})
			return err
		}))
	if err != nil {
		return fmt.Errorf("read small_area_part: %w", err)
	}
	part, err := tx.Prepare("SELECT geometry FROM small_area_part WHERE fid = ?")
	if err != nil {
		return err
	}
	defer part.Close()
	in.Part = func(i int) (orb.MultiPolygon, error) {
		var blob []byte
		if err := part.QueryRow(fids[i]).Scan(&blob); err != nil {
			return nil, err
		}
		return released.ReadMultiPolygon(blob)
	}
	err = a.EachRegion(func(_ string, db *duck.DB) error {
		for w, err := range sqlrow.Select[derived.Water](ctx, db, "SELECT * FROM water ORDER BY water") {
			if err != nil {
				return fmt.Errorf("read water: %w", err)
			}
			outline, err := assembly.DecodeOutline(w.Geom)
			if err != nil {
				return fmt.Errorf("read water: %w", err)
			}
			in.Water = append(in.Water, outline)
		}
		return nil
	})
	if err != nil {
		return err
	}
	insert := sqlrow.NewInserter[release.Ground](ctx, tx, "ground")
	fid := int64(0)
	return ground.Divide(ctx, in, func(p ground.Piece) error {
		fid++
		return insert.Row(release.Ground{FID: fid, RegionCode: p.RegionCode, Covered: p.Covered, Geometry: released.MultiPolygonBlob(p.Outline)})
	})
}

// stateOutlines are the outlines of the states of the release, and the extents of sources in states without one.
func stateOutlines(ctx context.Context, a *assembly.Assembly) (list []*assembly.Coverage, err error) {
	outlined := map[string]bool{}
	var all []*assembly.Coverage
	for c, err := range a.Coverage(ctx) {
		if err != nil {
			return nil, fmt.Errorf("read coverage: %w", err)
		}
		copied := *c
		all = append(all, &copied)
		outlined[c.RegionCode] = outlined[c.RegionCode] || !isExtent(c)
	}
	for _, c := range all {
		if !isExtent(c) || !outlined[c.RegionCode] {
			list = append(list, c)
		}
	}
	return list, nil
}

func isExtent(c *assembly.Coverage) bool { return strings.HasPrefix(c.SourceKey, "extent:") }
