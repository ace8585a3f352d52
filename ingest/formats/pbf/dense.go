package pbf

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// columns has the decoded columns of a dense group, in which the format stores nodes. Each goroutine has its own.
type columns struct {
	id, lat, lon                    []int64
	tags                            []uint64
	version, visible                []uint64
	time, changeset, uid, userIndex []int64
}

var errColumns = errors.New("columns of a dense group have different lengths")

func (d *decoder) dense(data []byte) error {
	var id, lat, lon, tags, info []byte
	fs := fields{rest: data}
	for fs.next() {
		switch fs.number {
		case 1:
			fs.list(&id)
		case 5:
			fs.list(&info)
		case 8:
			fs.list(&lat)
		case 9:
			fs.list(&lon)
		case 10:
			fs.list(&tags)
		}
	}
	if fs.err != nil {
		return fs.err
	}
	start := len(d.batch.Nodes)
	if err := d.densePoints(id, lat, lon); err != nil {
		return err
	}
	nodes := d.batch.Nodes[start:]
	if d.want.Tags && len(tags) > 0 {
		if err := d.denseTags(nodes, tags); err != nil {
			return err
		}
	}
	if d.want.Info {
		return d.denseInfo(len(nodes), info)
	}
	return nil
}

func (d *decoder) densePoints(id, lat, lon []byte) error {
	c := d.columns
	var err error
	if c.id, err = deltas(c.id[:0], id); err != nil {
		return err
	}
	if c.lat, err = deltas(c.lat[:0], lat); err != nil {
		return err
	}
	if c.lon, err = deltas(c.lon[:0], lon); err != nil {
		return err
	}
	if len(c.lat) != len(c.id) || len(c.lon) != len(c.id) {
		return errColumns
	}
	if len(c.id) > source.MaxPBFElements {
		return errTooMany
	}
	d.batch.Nodes = slices.Grow(d.batch.Nodes, len(c.id))
	for i, id := range c.id {
		d.batch.Nodes = append(d.batch.Nodes, element.Node{
			ID:    id,
			Point: orb.Point{d.degrees(d.lonOffset, c.lon[i]), d.degrees(d.latOffset, c.lat[i])},
		})
	}
	return nil
}

// denseTags assigns the tags of the flat list key, value, key, value, 0 (end of the node), …
func (d *decoder) denseTags(nodes []element.Node, list []byte) error {
	var err error
	if d.columns.tags, err = numbers(d.columns.tags[:0], list); err != nil {
		return err
	}
	i, start, names := 0, len(d.table.Pairs), uint64(len(d.table.Names))
	for tags := d.columns.tags; len(tags) > 0; {
		if i == len(nodes) {
			return errColumns
		}
		if tags[0] == 0 {
			nodes[i].Tags = d.table.TagsFrom(start)
			i, tags, start = i+1, tags[1:], len(d.table.Pairs)
			continue
		}
		if len(tags) == 1 {
			return errPacked
		}
		if tags[0] >= names || tags[1] >= names {
			return errString
		}
		d.table.Pairs = append(d.table.Pairs, uint32(tags[0]), uint32(tags[1]))
		tags = tags[2:]
	}
	if i != len(nodes) {
		return errColumns
	}
	return nil
}

// denseInfo appends one info for each of n nodes. Each column may be missing.
func (d *decoder) denseInfo(n int, data []byte) error {
	c := d.columns
	if err := c.readInfo(data); err != nil {
		return err
	}
	for _, length := range []int{len(c.version), len(c.time), len(c.changeset), len(c.uid), len(c.userIndex)} {
		if length != 0 && length != n {
			return errColumns
		}
	}
	start := len(d.batch.NodeInfo)
	d.batch.NodeInfo = slices.Grow(d.batch.NodeInfo, n)[:start+n]
	infos := d.batch.NodeInfo[start:]
	clear(infos)
	for i, v := range c.version {
		infos[i].Version = int32(v)
	}
	for i, v := range c.time {
		infos[i].Time = v * d.dateGranularity
	}
	for i, v := range c.changeset {
		infos[i].Changeset = v
	}
	for i, v := range c.uid {
		infos[i].UID = int32(v)
	}
	for i, v := range c.userIndex {
		if v < 0 || v >= int64(len(d.table.Names)) {
			return errString
		}
		infos[i].User = uint32(v)
	}
	return nil
}

func (c *columns) readInfo(data []byte) error {
	c.version, c.visible = c.version[:0], c.visible[:0]
	c.time, c.changeset, c.uid, c.userIndex = c.time[:0], c.changeset[:0], c.uid[:0], c.userIndex[:0]
	fs := fields{rest: data}
	for fs.next() {
		var err error
		switch fs.number {
		case 1:
			c.version, err = numbers(c.version, fs.data)
		case 2:
			c.time, err = deltas(c.time, fs.data)
		case 3:
			c.changeset, err = deltas(c.changeset, fs.data)
		case 4:
			c.uid, err = deltas(c.uid, fs.data)
		case 5:
			c.userIndex, err = deltas(c.userIndex, fs.data)
		case 6:
			c.visible, err = numbers(c.visible, fs.data)
		}
		if err != nil {
			return err
		}
	}
	if slices.Contains(c.visible, 0) {
		return errDeleted
	}
	return fs.err
}
