package addresses

import (
	"sort"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
)

// Table answers from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	near       strips.Index
	name       pack.Lists[byte]        `pack:"name names"`
	nameStreet []uint32                `pack:"name.street names+1"`
	nearHash   []uint32                `pack:"name.near.hash"`
	nearName   []uint32                `pack:"name.near.name hashes"`
	text       pack.Lists[byte]        `pack:"text"`
	streetText []uint32                `pack:"street.text streets"`
	streetType []uint16                `pack:"street.type streets"`
	streetWay  []uint8                 `pack:"street.way streets"`
	place      []uint32                `pack:"street.place streets"`
	addresses  []uint32                `pack:"street.address streets+1"`
	ranges     []uint32                `pack:"street.range streets+1"`
	placeKey   pack.Lists[byte]        `pack:"place.key places"`
	placeText  []uint32                `pack:"place.text places"`
	placeIn    []uint8                 `pack:"place.region places"`
	placePoint []coord.Point           `pack:"place.point places"`
	placeM     []float32               `pack:"place.radius places"`
	placeNames pack.Lists[uint32]      `pack:"place.name places"`
	alias      pack.Lists[byte]        `pack:"alias.key aliases"`
	aliasOf    pack.Lists[uint32]      `pack:"alias.place aliases"`
	code       pack.Lists[byte]        `pack:"postal.code codes"`
	codePoint  []coord.Point           `pack:"postal.point codes"`
	codeM      []float32               `pack:"postal.radius codes"`
	number     []uint32                `pack:"address.number addresses"`
	suffix     []uint16                `pack:"address.suffix addresses"`
	unit       []uint32                `pack:"address.unit addresses"`
	postal     []uint32                `pack:"address.postal addresses"`
	source     []uint8                 `pack:"address.source addresses"`
	accuracy   []uint8                 `pack:"address.accuracy addresses"`
	at         []uint32                `pack:"address.at addresses"`
	nearest    []uint32                `pack:"near.address addresses"`
	low        []uint32                `pack:"range.low ranges"`
	high       []uint32                `pack:"range.high ranges"`
	step       []uint8                 `pack:"range.step ranges"`
	rangeFrom  []uint8                 `pack:"range.source ranges"`
	line       pack.Lists[coord.Point] `pack:"range.line ranges"`
	suffixes   []string                `pack:"suffix"`
	units      pack.Lists[byte]        `pack:"unit"`
	regions    []string                `pack:"region"`
	sources    []string                `pack:"source"`
}

// Open opens the table in f. It copies suffixes, regions and sources; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	t := &Table{near: strips.Load(l, "near.")}
	count := func(section string) int { return len(pack.Load[uint32](l, section, pack.Any)) }
	names := pack.LoadLists[byte](l, "name", pack.Any).Len()
	streets := count("street.text")
	l.Fill(t, "", map[string]int{
		"names": names, "names+1": names + 1, "hashes": count("name.near.hash"), "streets": streets, "streets+1": streets + 1,
		"places": count("place.text"), "aliases": pack.LoadLists[byte](l, "alias.key", pack.Any).Len(),
		"codes":     pack.LoadLists[byte](l, "postal.code", pack.Any).Len(),
		"addresses": len(t.near.Points), "ranges": count("range.low"),
	})
	return t, l.Err()
}

// Len is the number of addresses; 0 of nil.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return len(t.number)
}

// Streets is the number of streets; 0 of nil.
func (t *Table) Streets() int {
	if t == nil {
		return 0
	}
	return len(t.place)
}

// Regions are the regions that the table has addresses of, such as "CA_ON". The list must not be changed.
func (t *Table) Regions() []string { return t.regions }

// ByPlace is the i-th address in the order of places, in which those that are near each other mostly follow each other.
func (t *Table) ByPlace(i int) int {
	if n := int(t.nearest[i]); n < t.Len() {
		return n
	}
	return 0 // the file is damaged
}

// span is a range of a table from first to before last; empty if the file is damaged.
func span(bounds []uint32, i uint32, n int) (first, last uint32) {
	if uint64(i)+1 >= uint64(len(bounds)) {
		return 0, 0
	}
	first, last = bounds[i], bounds[i+1]
	if first > last || uint64(last) > uint64(n) {
		return 0, 0
	}
	return first, last
}

// findText is the first text of a sorted list that is not before key.
func findText(texts pack.Lists[byte], key string) int {
	return sort.Search(texts.Len(), func(i int) bool { return string(texts.At(i)) >= key })
}

// nameOf is the number of a name of streets; false if there is none.
func (t *Table) nameOf(key string) (uint32, bool) {
	i := findText(t.name, key)
	return uint32(i), i < t.name.Len() && string(t.name.At(i)) == key
}

// placesOf are the places with a name, from first to before last.
func (t *Table) placesOf(key string) (first, last int) {
	first = findText(t.placeKey, key)
	for last = first; last < t.placeKey.Len() && string(t.placeKey.At(last)) == key; last++ {
	}
	return first, last
}

// point is where an address is; false if the file is damaged.
func (t *Table) point(address uint32) (coord.Point, bool) {
	if i := t.at[address]; int(i) < len(t.near.Points) {
		return t.near.Points[i], true
	}
	return coord.Point{}, false
}

func at[T any](list []T, i int) (value T) {
	if i >= 0 && i < len(list) {
		return list[i]
	}
	return value
}
