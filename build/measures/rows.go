package measures

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/build/released"
	"quartier/internal/pack/reach"
	"quartier/internal/sqlrow"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/release"
)

// Input is what measures are computed from.
type Input struct {
	Dir         string // of the packs and files of the release
	Assembly    *assembly.Assembly
	Homes       *homes.Index
	Hulls       assembly.Hulls
	Outlines    *assembly.Outlines // of Geographies
	Geographies []assembly.Geography
	IDs         []string // geog_ids of Geographies
}

// Rows are the rows of travel.sqlite.
type Rows struct {
	Jobs        []release.JobPlace
	Grounds     []release.TravelGround
	Cells       []release.TravelCell
	Nodes       []release.TravelNode
	Measures    []release.TravelMeasure
	Geographies []release.GeographyTravel
}

// Compute computes the rows, and notes for the manifest.
func Compute(ctx context.Context, in *Input) (r *Rows, notes []string, err error) {
	w, close, err := Open(in.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer close()
	r = &Rows{}
	if r.Jobs, notes, err = Jobs(ctx, in.Assembly, w.Network(travel.Walk)); err != nil {
		return nil, nil, err
	}
	known, regions := map[string]bool{}, []string{}
	classes, err := in.Assembly.Classes(ctx, &calibration.Standard().Known)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range classes {
		known[c.Region] = known[c.Region] || c.Class == "grocery" && c.Verdict.Known()
	}
	for _, region := range in.Assembly.Regions() {
		regions = append(regions, region.Name)
	}
	ground, err := w.read(ctx, in.Dir, r.Jobs, known, schemas.TravelCounted...)
	if err != nil {
		return nil, nil, err
	}
	r.Grounds = rows(ground, regions)
	if err := w.know(r.Grounds); err != nil {
		return nil, nil, err
	}
	first, err := firstEdges(ctx, in.Dir, regions)
	if err != nil {
		return nil, nil, err
	}
	nodes := w.nodesOf(in.Homes, first)
	for i, node := range nodes {
		w.Homes = append(w.Homes, Amount{node, in.Homes.Homes[i].Weight})
	}
	w.Homes = merged(w.Homes)
	cells, of := w.Cells()
	some := make([]uint32, len(cells))
	for i := range some {
		some[i] = uint32(i)
	}
	if err := w.Fill(ctx, cells, some); err != nil {
		return nil, nil, err
	}
	r.add(w, cells, of)
	cellOf := make([]uint32, len(nodes))
	for i, node := range nodes {
		k, _ := slices.BinarySearchFunc(of, node, func(h Home, node uint32) int { return int(h.Node) - int(node) })
		cellOf[i] = of[k].Cell
	}
	r.Geographies, err = medians(ctx, in, cellOf, cells)
	return r, notes, err
}

// firstEdges are the numbers of the first street of each region in access.pack.
func firstEdges(ctx context.Context, dir string, regions []string) ([]uint32, error) {
	first := make([]uint32, len(regions))
	return first, each(ctx, dir, schemas.AccessFile, "SELECT region, min(fid) FROM street_edge GROUP BY region",
		sqlrow.Visit2(func(region string, fid int64) error {
			i := slices.Index(regions, region)
			if i < 0 {
				return fmt.Errorf("streets of an unknown region %s", region)
			}
			first[i] = uint32(fid - 1)
			return nil
		}))
}

// add adds the rows of cells.
func (r *Rows) add(w *World, cells []Cell, of []Home) {
	for i, c := range cells {
		fid := int64(i) + 1
		r.Cells = append(r.Cells, release.TravelCell{FID: fid, Node: int64(c.Node) + 1, CarCell: int64(c.Car) + 1,
			Geometry: released.PointBlob(degrees(w.At[c.Node]))})
		for m, value := range c.Values {
			if value != reach.Absent {
				r.Measures = append(r.Measures, release.TravelMeasure{Cell: fid, Measure: schemas.TravelMeasures[m].ID, Value: int64(value)})
			}
		}
	}
	for _, h := range of {
		r.Nodes = append(r.Nodes, release.TravelNode{Node: int64(h.Node) + 1, Cell: int64(h.Cell) + 1})
	}
}

// sampled is how many cells Verify computes again.
const sampled = 5

// Verify computes a sample of the cells of a release again.
func Verify(ctx context.Context, dir string) error {
	w, cells, close, err := reopen(ctx, dir, nil, schemas.TravelCounted...)
	if err != nil {
		return err
	}
	defer close()
	var some []uint32
	for i := range min(sampled, len(cells)) {
		some = append(some, uint32(i*len(cells)/min(sampled, len(cells))))
	}
	again := slices.Clone(cells)
	for _, i := range some {
		again[i].Values = reach.Unknown()
	}
	if err := w.Fill(ctx, again, some); err != nil {
		return err
	}
	for _, i := range some {
		if !slices.Equal(cells[i].Values, again[i].Values) {
			return fmt.Errorf("%s: cell %d has the measures %v, and should have %v", schemas.TravelFile, i+1, cells[i].Values, again[i].Values)
		}
	}
	return nil
}

// reopen opens the world of a release that is finished, with some of what is counted, and its cells. keys, unless nil, gets what is at
// the nodes.
func reopen(ctx context.Context, dir string, keys map[uint32][]Part, counted ...string) (w *World, cells []Cell, close func(), err error) {
	db, err := released.Open(filepath.Join(dir, schemas.TravelFile))
	if err != nil {
		return nil, nil, nil, err
	}
	defer db.Close()
	jobs, err := sqlrow.All[release.JobPlace](ctx, db, "SELECT * FROM job_place ORDER BY fid")
	if err != nil {
		return nil, nil, nil, err
	}
	grounds, err := sqlrow.All[release.TravelGround](ctx, db, "SELECT * FROM travel_ground ORDER BY fid")
	if err != nil {
		return nil, nil, nil, err
	}
	if cells, err = readCells(ctx, db); err != nil {
		return nil, nil, nil, err
	}
	known := map[string]bool{}
	for _, g := range grounds {
		known[g.Region] = known[g.Region] || g.Counted == "groceries"
	}
	if w, close, err = Open(dir); err != nil {
		return nil, nil, nil, err
	}
	w.keys = keys
	if _, err = w.read(ctx, dir, jobs, known, counted...); err == nil {
		err = w.know(grounds)
	}
	if err != nil {
		close()
	}
	return w, cells, close, err
}

// readCells reads cells with their values.
func readCells(ctx context.Context, db *sql.DB) (cells []Cell, err error) {
	for c, err := range sqlrow.Select[release.TravelCell](ctx, db, "SELECT * FROM travel_cell ORDER BY fid") {
		if err != nil {
			return nil, err
		}
		cells = append(cells, Cell{uint32(c.Node - 1), uint32(c.CarCell - 1), reach.Unknown()})
	}
	for m, err := range sqlrow.Select[release.TravelMeasure](ctx, db, "SELECT * FROM travel_measure ORDER BY cell, measure") {
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(schemas.TravelMeasures, func(t schemas.TravelMeasure) bool { return t.ID == m.Measure })
		if i < 0 || m.Cell < 1 || int(m.Cell) > len(cells) {
			return nil, fmt.Errorf("measure %s of cell %d of %d", m.Measure, m.Cell, len(cells))
		}
		cells[m.Cell-1].Values[i] = uint32(m.Value)
	}
	return cells, nil
}
