package pois

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/names"
	"quartier/internal/sorter"
	"quartier/schemas"
)

// namesRoom is how many bytes of names are sorted at once.
const namesRoom = 64 << 20

// Names are sorted with POIs as records: number, region code, length of the name, name, key.
const (
	namedRegion = 4
	namedLength = 6
	namedSize   = 10
)

// named is the record of POI i, valid until the next one.
func (c *columns) named(i int, p *spooled) []byte {
	order := binary.LittleEndian
	c.buffer = order.AppendUint32(c.buffer[:0], uint32(i))
	c.buffer = order.AppendUint16(c.buffer, uint16(c.regionOf[p.region]))
	c.buffer = order.AppendUint32(c.buffer, uint32(len(p.name)))
	return append(append(c.buffer, p.name...), p.key...)
}

// readNamed is the inverse of named.
func readNamed(record []byte) (i uint32, region uint16, name, key []byte) {
	order := binary.LittleEndian
	end := namedSize + order.Uint32(record[namedLength:])
	return order.Uint32(record), order.Uint16(record[namedRegion:]), record[namedSize:end], record[end:]
}

// compareNames orders records by name, then key, then position.
func compareNames(a, b []byte) int {
	i, _, name, key := readNamed(a)
	k, _, otherName, otherKey := readNamed(b)
	return cmp.Or(bytes.Compare(name, otherName), bytes.Compare(key, otherKey), cmp.Compare(i, k))
}

// writeNames writes the position of each POI in the order by name, the index of the different names, and the POIs that have each.
func (c *columns) writeNames(sorted *sorter.Sorter) error {
	ranks, rank := make([]uint32, c.count), uint32(0)
	lists := pack.NewLists[uint32](c.out, "poi.named")
	var index names.Writer
	var name []byte
	var bearers []uint32
	var regions []string
	number := uint32(0)
	end := func() error {
		if len(bearers) == 0 {
			return nil
		}
		slices.Sort(bearers)
		lists.Append(bearers)
		slices.Sort(regions)
		text := string(name)
		err := index.Add(&names.Entry{Index: number, ID: text, Level: schemas.Neighbourhood, Regions: slices.Clone(regions),
			Name: schemas.Text{EN: text, FR: text}, Population: int64(len(bearers))})
		number, bearers, regions = number+1, bearers[:0], regions[:0]
		return err
	}
	err := sorted.Each(func(record []byte) error {
		i, region, its, _ := readNamed(record)
		if !bytes.Equal(its, name) {
			if err := end(); err != nil {
				return err
			}
			name = append(name[:0], its...)
		}
		ranks[i] = rank
		rank++
		bearers = append(bearers, i)
		if code := c.codes[region]; code != "" && !slices.Contains(regions, code) {
			regions = append(regions, code)
		}
		return nil
	})
	if err == nil {
		err = end()
	}
	if err != nil {
		return err
	}
	c.ranks.Append(ranks...)
	return index.Finish(c.out)
}
