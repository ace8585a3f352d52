package pbf

import (
	"errors"
	"fmt"
	"slices"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

var errString = errors.New("index out of range of the block's string table")

// decoder decodes the content of one block to a batch. Its slices are reused for the next block.
type decoder struct {
	want  element.Want
	batch element.Batch

	table  element.Table
	groups [][]byte
	granularity, latOffset, lonOffset,
	dateGranularity int64

	refs    []int64
	members []element.Member
	columns *columns
}

// decode fills d.batch with the requested elements of a block and returns the kinds of all its elements.
func (d *decoder) decode(block []byte, want element.Want) (element.Kinds, error) {
	d.want = want
	d.reset()
	table, err := d.open(block)
	if err != nil {
		return 0, err
	}
	present, err := d.measure()
	if err != nil || present&want.Kinds == 0 {
		return present, err
	}
	if err := d.readStrings(table); err != nil {
		return 0, err
	}
	if want.Info {
		d.batch.Names = d.table.Names
	}
	for _, group := range d.groups {
		if err := d.group(group); err != nil {
			return 0, err
		}
	}
	return present, nil
}

func (d *decoder) reset() {
	b := &d.batch
	b.Nodes, b.Ways, b.Relations = b.Nodes[:0], b.Ways[:0], b.Relations[:0]
	b.NodeInfo, b.WayInfo, b.RelationInfo = b.NodeInfo[:0], b.WayInfo[:0], b.RelationInfo[:0]
	d.table.Names, d.table.Pairs = d.table.Names[:0], d.table.Pairs[:0]
	b.Names = nil
	d.refs, d.members = d.refs[:0], d.members[:0]
}

// open returns the string table of a block and sets its groups and scale, which may follow the groups.
func (d *decoder) open(block []byte) (table []byte, err error) {
	d.groups = d.groups[:0]
	d.granularity, d.latOffset, d.lonOffset, d.dateGranularity = 100, 0, 0, 1000
	fs := fields{rest: block}
	for fs.next() {
		switch fs.number {
		case 1:
			table = fs.data
		case 2:
			d.groups = append(d.groups, fs.data)
		case 17:
			d.granularity = int64(fs.value)
		case 18:
			d.dateGranularity = int64(fs.value)
		case 19:
			d.latOffset = int64(fs.value)
		case 20:
			d.lonOffset = int64(fs.value)
		}
	}
	return table, fs.err
}

// readStrings reads the string table from one copy, so that a block takes one allocation and its strings stay valid.
func (d *decoder) readStrings(table []byte) error {
	text := string(table)
	fs := fields{rest: table}
	for fs.next() {
		if fs.number == 1 {
			if len(d.table.Names) == source.MaxPBFParts {
				return errManyParts
			}
			end := len(text) - len(fs.rest)
			d.table.Names = append(d.table.Names, text[end-len(fs.data):end])
		}
	}
	return fs.err
}

// The field numbers of a group.
const (
	fieldNode     = 1
	fieldDense    = 2
	fieldWay      = 3
	fieldRelation = 4
)

// measure returns the kinds of elements of the groups and allocates memory for the requested ones.
func (d *decoder) measure() (present element.Kinds, err error) {
	var nodes, ways, relations, size int
	for _, group := range d.groups {
		fs := fields{rest: group}
		for fs.next() {
			switch fs.number {
			case fieldNode:
				nodes++
			case fieldDense:
				present |= element.Nodes
			case fieldWay:
				ways, size = ways+1, size+len(fs.data)
			case fieldRelation:
				relations++
			}
		}
		if fs.err != nil {
			return 0, fs.err
		}
	}
	if nodes+ways+relations > source.MaxPBFElements {
		return 0, errTooMany
	}
	b := &d.batch
	if nodes > 0 {
		present |= element.Nodes
	}
	if ways > 0 {
		present |= element.Ways
	}
	if relations > 0 {
		present |= element.Relations
	}
	if present&d.want.Kinds&element.Ways != 0 {
		b.Ways = slices.Grow(b.Ways, ways)
		d.refs = slices.Grow(d.refs, size/4)
	}
	return present, nil
}

var (
	errTooMany   = source.TooLarge("it", source.MaxPBFElements, "elements")
	errManyParts = source.TooLarge("it", source.MaxPBFParts, "texts or numbers in one list")
)

func (d *decoder) group(group []byte) error {
	fs := fields{rest: group}
	for fs.next() {
		var err error
		wants := d.want.Kinds
		switch {
		case fs.number == fieldNode && wants&element.Nodes != 0:
			err = d.node(fs.data)
		case fs.number == fieldDense && wants&element.Nodes != 0:
			err = d.dense(fs.data)
		case fs.number == fieldWay && wants&element.Ways != 0:
			err = d.way(fs.data)
		case fs.number == fieldRelation && wants&element.Relations != 0:
			err = d.relation(fs.data)
		}
		if err != nil {
			return err
		}
	}
	return fs.err
}

// entity has the common fields of nodes, ways and relations, undecoded.
type entity struct {
	id               uint64
	keys, vals, info []byte
}

// take stores the current field if it is one of the common ones.
func (e *entity) take(fs *fields) bool {
	switch fs.number {
	case 1:
		e.id = fs.value
	case 2:
		fs.list(&e.keys)
	case 3:
		fs.list(&e.vals)
	case 4:
		e.info = fs.data
	default:
		return false
	}
	return true
}

// common decodes tags and info if requested. Info is appended to infos.
func (d *decoder) common(e *entity, infos *[]element.Info) (element.Tags, error) {
	if d.want.Info {
		info, err := d.readInfo(e.info)
		if err != nil {
			return element.Tags{}, err
		}
		*infos = append(*infos, info)
	}
	if !d.want.Tags {
		return element.Tags{}, nil
	}
	return d.readTags(e.keys, e.vals)
}

func (d *decoder) readTags(keys, vals []byte) (element.Tags, error) {
	start, names := len(d.table.Pairs), uint64(len(d.table.Names))
	if count(keys) > source.MaxPBFParts {
		return element.Tags{}, errManyParts
	}
	for len(keys) > 0 {
		key, n := uvarint(keys)
		val, m := uvarint(vals)
		if n == 0 || m == 0 {
			return element.Tags{}, errPacked
		}
		if key >= names || val >= names {
			return element.Tags{}, errString
		}
		d.table.Pairs = append(d.table.Pairs, uint32(key), uint32(val))
		keys, vals = keys[n:], vals[m:]
	}
	if len(vals) > 0 {
		return element.Tags{}, errors.New("more tag values than keys")
	}
	return d.table.TagsFrom(start), nil
}

func (d *decoder) readInfo(data []byte) (element.Info, error) {
	var info element.Info
	fs := fields{rest: data}
	for fs.next() {
		switch fs.number {
		case 1:
			info.Version = int32(fs.value)
		case 2:
			info.Time = int64(fs.value) * d.dateGranularity
		case 3:
			info.Changeset = int64(fs.value)
		case 4:
			info.UID = int32(fs.value)
		case 5:
			if fs.value >= uint64(len(d.table.Names)) {
				return info, errString
			}
			info.User = uint32(fs.value)
		case 6:
			if fs.value == 0 {
				return info, errDeleted
			}
		}
	}
	return info, fs.err
}

var errDeleted = errors.New("the file has deleted elements")

func (d *decoder) degrees(offset, raw int64) float64 {
	return float64(offset+d.granularity*raw) / 1e9
}

func inElement(kind string, id int64, err error) error {
	return fmt.Errorf("%s %d: %w", kind, id, err)
}
