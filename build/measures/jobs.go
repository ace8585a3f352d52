package measures

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/network"
	"quartier/internal/sqlrow"
	"quartier/internal/travel/streets"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// linkMetres is how far the street of jobs and people may be from their point, which stands for an area. The way there counts nothing.
const linkMetres = 10_000

// Jobs reads the jobs of all regions and links them to nodes. What a region lends another one is read where it is from, and of regions
// that overlap the first one has what is at one place. notes are for the manifest.
func Jobs(ctx context.Context, a *assembly.Assembly, walk *streets.Network) (list []release.JobPlace, notes []string, err error) {
	type key struct {
		source, place string
		at            orb.Point
	}
	seen, unlinked := map[key]string{}, int64(0)
	err = a.EachRegion(func(region string, db *duck.DB) error {
		const query = "SELECT * FROM job_place WHERE NOT contains(source_id, '/') ORDER BY job_place"
		for j, err := range sqlrow.Select[derived.JobPlace](ctx, db, query) {
			if err != nil {
				return fmt.Errorf("read jobs of region %s: %w", region, err)
			}
			at := orb.Point{j.Lng, j.Lat}
			k := key{j.SourceKey, j.PlaceKey, at}
			if first, ok := seen[k]; ok && first != region {
				continue
			}
			seen[k] = region
			row := release.JobPlace{FID: int64(len(list) + 1), Region: region, SourceID: j.SourceID, SourceKey: j.SourceKey,
				PlaceKey: j.PlaceKey, Jobs: j.Jobs, Sectors: j.Sectors, Earnings: j.Earnings, Geometry: released.PointBlob(at)}
			if node, ok := nearest(walk, at); ok {
				fid := int64(node) + 1
				row.Node = &fid
			} else {
				unlinked += j.Jobs
			}
			list = append(list, row)
		}
		return nil
	})
	if unlinked > 0 {
		notes = append(notes, fmt.Sprintf("%d jobs are farther than %d km from all streets, and are reached from nowhere", unlinked/1000,
			linkMetres/1000))
	}
	return list, notes, err
}

// nearest is the nearer end of the street that is nearest to a point; false if none is within linkMetres, or walk is nil.
func nearest(walk *streets.Network, at orb.Point) (node uint32, ok bool) {
	p, ok := coord.NewPoint(at[0], at[1])
	if !ok || walk == nil {
		return 0, false
	}
	place, ok := walk.Snap(p, linkMetres)
	if !ok {
		return 0, false
	}
	return end(walk, place), true
}

// end is the nearer end of the street of a place.
func end(n *streets.Network, p network.Place) uint32 {
	edge := n.Snapper().Edge(p.Edge)
	if 2*p.Along > edge.Length {
		return edge.B
	}
	return edge.A
}
