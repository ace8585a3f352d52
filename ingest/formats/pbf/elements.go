package pbf

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

func (d *decoder) node(data []byte) error {
	var e entity
	var lat, lon int64
	fs := fields{rest: data}
	for fs.next() {
		switch {
		case e.take(&fs):
		case fs.number == 8:
			lat = unzigzag(fs.value)
		case fs.number == 9:
			lon = unzigzag(fs.value)
		}
	}
	id := unzigzag(e.id)
	if fs.err != nil {
		return inElement("node", id, fs.err)
	}
	tags, err := d.common(&e, &d.batch.NodeInfo)
	if err != nil {
		return inElement("node", id, err)
	}
	point := orb.Point{d.degrees(d.lonOffset, lon), d.degrees(d.latOffset, lat)}
	d.batch.Nodes = append(d.batch.Nodes, element.Node{ID: id, Point: point, Tags: tags})
	return nil
}

func (d *decoder) way(data []byte) error {
	var e entity
	var refs, lats, lons []byte
	fs := fields{rest: data}
	for fs.next() {
		switch {
		case e.take(&fs):
		case fs.number == 8:
			fs.list(&refs)
		case fs.number == 9:
			fs.list(&lats)
		case fs.number == 10:
			fs.list(&lons)
		}
	}
	id := int64(e.id)
	if fs.err != nil {
		return inElement("way", id, fs.err)
	}
	tags, err := d.common(&e, &d.batch.WayInfo)
	if err != nil {
		return inElement("way", id, err)
	}
	start := len(d.refs)
	if d.refs, err = deltas(d.refs, refs); err != nil {
		return inElement("way", id, err)
	}
	way := element.Way{ID: id, Refs: slices.Clip(d.refs[start:]), Tags: tags}
	if len(lats)+len(lons) > 0 {
		if way.Points, err = d.locations(lats, lons, len(way.Refs)); err != nil {
			return inElement("way", id, err)
		}
	}
	d.batch.Ways = append(d.batch.Ways, way)
	return nil
}

// locations decodes the points that some files store with ways.
func (d *decoder) locations(lats, lons []byte, want int) ([]orb.Point, error) {
	c := d.columns
	var err error
	if c.lat, err = deltas(c.lat[:0], lats); err != nil {
		return nil, err
	}
	if c.lon, err = deltas(c.lon[:0], lons); err != nil {
		return nil, err
	}
	if len(c.lat) != want || len(c.lon) != want {
		return nil, errors.New("number of locations differs from number of nodes")
	}
	points := make([]orb.Point, want)
	for i := range points {
		points[i] = orb.Point{d.degrees(d.lonOffset, c.lon[i]), d.degrees(d.latOffset, c.lat[i])}
	}
	return points, nil
}

func (d *decoder) relation(data []byte) error {
	var e entity
	var roles, ids, types []byte
	fs := fields{rest: data}
	for fs.next() {
		switch {
		case e.take(&fs):
		case fs.number == 8:
			fs.list(&roles)
		case fs.number == 9:
			fs.list(&ids)
		case fs.number == 10:
			fs.list(&types)
		}
	}
	id := int64(e.id)
	if fs.err != nil {
		return inElement("relation", id, fs.err)
	}
	tags, err := d.common(&e, &d.batch.RelationInfo)
	if err != nil {
		return inElement("relation", id, err)
	}
	members, err := d.readMembers(roles, ids, types)
	if err != nil {
		return inElement("relation", id, err)
	}
	d.batch.Relations = append(d.batch.Relations, element.Relation{ID: id, Members: members, Tags: tags})
	return nil
}

var memberKinds = [3]element.Kinds{element.Nodes, element.Ways, element.Relations}

func (d *decoder) readMembers(roles, ids, types []byte) ([]element.Member, error) {
	start, ref := len(d.members), int64(0)
	if count(ids) > source.MaxPBFParts {
		return nil, errManyParts
	}
	for len(ids) > 0 {
		role, n := uvarint(roles)
		delta, m := uvarint(ids)
		kind, k := uvarint(types)
		switch {
		case n == 0 || m == 0 || k == 0:
			return nil, errPacked
		case role >= uint64(len(d.table.Names)):
			return nil, errString
		case kind >= uint64(len(memberKinds)):
			return nil, errors.New("member of unknown type")
		}
		ref += unzigzag(delta)
		d.members = append(d.members, element.Member{Kind: memberKinds[kind], Ref: ref, Role: d.table.Names[role]})
		roles, ids, types = roles[n:], ids[m:], types[k:]
	}
	if len(roles)+len(types) > 0 {
		return nil, errors.New("more roles or types than members")
	}
	return slices.Clip(d.members[start:]), nil
}
