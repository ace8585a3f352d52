package pbf

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/osm/element"
)

// columns hold a dense group while its rows are put together: the format stores nodes column by column.
type columns struct {
	id, lat, lon                    []int64
	tags                            []uint64
	version, visible                []uint64
	time, changeset, uid, userIndex []int64
}

var errColumns = errors.New("the columns of a dense group differ in length")

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
	if d.want.Info && len(info) > 0 {
		return d.denseInfo(nodes, info)
	}
	return nil
}

func (d *decoder) densePoints(id, lat, lon []byte) error {
	c := &d.columns
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
	d.batch.Nodes = slices.Grow(d.batch.Nodes, len(c.id))
	for i, id := range c.id {
		d.batch.Nodes = append(d.batch.Nodes, element.Node{
			ID:    id,
			Point: orb.Point{d.degrees(d.lonOffset, c.lon[i]), d.degrees(d.latOffset, c.lat[i])},
		})
	}
	return nil
}

// denseTags deals out the flat list key, value, key, value, 0 (end of the node), …
func (d *decoder) denseTags(nodes []element.Node, list []byte) error {
	c := &d.columns
	var err error
	if c.tags, err = numbers(c.tags[:0], list); err != nil {
		return err
	}
	d.tags = slices.Grow(d.tags, len(c.tags)/2)
	i, start, limit := 0, len(d.tags), uint64(len(d.strings))
	for at := 0; at < len(c.tags); {
		if i == len(nodes) {
			return errColumns
		}
		key := c.tags[at]
		if key == 0 {
			if len(d.tags) > start {
				nodes[i].Tags = slices.Clip(d.tags[start:])
				start = len(d.tags)
			}
			i, at = i+1, at+1
			continue
		}
		if at+1 == len(c.tags) {
			return errPacked
		}
		val := c.tags[at+1]
		if key >= limit || val >= limit {
			return errString
		}
		d.tags = append(d.tags, element.Tag{Key: d.strings[key], Value: d.strings[val]})
		at += 2
	}
	if i != len(nodes) {
		return errColumns
	}
	return nil
}

func (d *decoder) denseInfo(nodes []element.Node, data []byte) error {
	if err := d.columns.readInfo(data); err != nil {
		return err
	}
	c := &d.columns
	for _, n := range []int{len(c.version), len(c.time), len(c.changeset), len(c.uid), len(c.userIndex)} {
		if n != 0 && n != len(nodes) {
			return errColumns
		}
	}
	d.infos = slices.Grow(d.infos, len(nodes))
	for i := range nodes {
		var info element.Info
		if len(c.version) > 0 {
			info.Version = int32(c.version[i])
		}
		if len(c.time) > 0 {
			info.Time = c.time[i] * d.dateGranularity
		}
		if len(c.changeset) > 0 {
			info.Changeset = c.changeset[i]
		}
		if len(c.uid) > 0 {
			info.UID = int32(c.uid[i])
		}
		if len(c.userIndex) > 0 {
			user := c.userIndex[i]
			if user < 0 || user >= int64(len(d.strings)) {
				return errString
			}
			info.User = d.strings[user]
		}
		d.infos = append(d.infos, info)
		nodes[i].Info = &d.infos[len(d.infos)-1]
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
