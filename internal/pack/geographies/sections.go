package geographies

import (
	"strings"
	"time"

	"quartier/internal/coord"
	"quartier/internal/pack"
)

// Names of the locators.
const (
	locatorName  = "geography.at"
	coverageName = "coverage.at"
)

// Columns of section geography.column.
const (
	columnLevel = iota
	columnCity  // index, or −1
	columnMetro // index, or −1
	columnPopulation
	columnSuperseded // 0: no; 1: at a date that is not known; else the date, in days since 1970
	columnCanadian   // 1 or 0
	numbersPerLine
)

// leastDeflated is the length of a geometry that is stored compressed too, in bytes: compressing a shorter one for an answer
// takes less than a fifth of a millisecond.
const leastDeflated = 16 << 10

// writeText copies the JSON from the spool in the order of the items.
func (w *Writer) writeText(out *pack.Writer) error {
	text := pack.NewLists[byte](out, "geography.json")
	gaps := pack.NewSection[uint32](out, "geography.json.gap")
	geometries := pack.NewLists[byte](out, "geography.geometry")
	deflated := pack.NewLists[byte](out, "geography.geometry.deflate")
	for i := range w.items {
		it := &w.items[i]
		buffer, err := w.spool.Read(it.text, it.textLen+it.geometry)
		if err != nil {
			return err
		}
		text.Append(buffer[:it.textLen])
		gaps.Append(uint32(it.gap))
		geometry := buffer[it.textLen:]
		geometries.Append(geometry)
		if len(geometry) < leastDeflated {
			deflated.Append(nil)
			continue
		}
		compressed, err := pack.Deflate(geometry)
		if err != nil {
			return err
		}
		deflated.Append(compressed)
	}
	return nil
}

func (w *Writer) writeColumns(out *pack.Writer) {
	columns := pack.NewSection[int64](out, "geography.column")
	places := pack.NewSection[coord.Point](out, "geography.place")
	areas := pack.NewSection[float64](out, "geography.area")
	rings := pack.NewLists[uint32](out, "geography.ring")
	points := pack.NewLists[coord.Point](out, "geography.point")
	regions := make([][]string, len(w.items))
	for i := range w.items {
		it := &w.items[i]
		columns.Append(int64(it.Level), w.indexOf(it.City), w.indexOf(it.Metro), orUnknown(it.Population),
			supersededDay(&it.Record), flag(it.CountryCode == "CA"))
		for _, corner := range [][2]float64{it.BBox.Min, it.BBox.Max, it.Centroid} {
			p, _ := coord.NewPoint(corner[0], corner[1]) // checked by Add
			places.Append(p)
		}
		areas.Append(it.AreaM2)
		rings.Append(it.area.Ends)
		points.Append(it.area.Points)
		regions[i] = it.regions()
	}
	pack.PutIndexed(out, "geography.region", "geography.code", regions)
}

// indexOf is the index of a geography; −1 for none, or one that is not in the table.
func (w *Writer) indexOf(r *Ref) int64 {
	if r == nil {
		return -1
	}
	i, ok := w.ids[r.ID]
	if !ok {
		return -1
	}
	return int64(i)
}

const secondsPerDay = 24 * 60 * 60

// supersededDay is the entry of columnSuperseded. Example: 2024-01-01 is 19723. It is under 2 for what is no date after 1970-01-02.
func supersededDay(r *Record) int64 {
	if r.Since == "" {
		return flag(r.Superseded)
	}
	day, err := time.Parse(time.DateOnly, r.Since)
	if err != nil {
		return 0
	}
	return day.Unix() / secondsPerDay
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

// writeIDs writes the texts of the geographies and the hash table of their ids, at most half full.
func (w *Writer) writeIDs(out *pack.Writer) {
	ids := pack.NewLists[byte](out, "geography.id")
	en, fr := pack.NewLists[byte](out, "geography.name.en"), pack.NewLists[byte](out, "geography.name.fr")
	replaced := pack.NewLists[byte](out, "geography.replaced")
	parents := pack.NewLists[byte](out, "geography.parents")
	size := 16
	for size < 2*len(w.items) {
		size *= 2
	}
	table := make([]uint32, size)
	for i := range w.items {
		it := &w.items[i]
		ids.Append([]byte(it.ID))
		en.Append([]byte(it.Name.EN))
		fr.Append([]byte(it.Name.FR))
		replaced.Append([]byte(it.ReplacedBy))
		parents.Append([]byte(strings.Join(it.Parents, ",")))
		slot := hash(it.ID) & uint64(size-1)
		for table[slot] != 0 {
			slot = (slot + 1) & uint64(size-1)
		}
		table[slot] = uint32(i + 1)
	}
	pack.Put(out, "geography.hash", table)
}

// hash is FNV-1a, which is part of the format.
func hash(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h ^ h>>32
}
