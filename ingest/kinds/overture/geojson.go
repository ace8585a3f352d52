package overture

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
)

// located is a place with its position, until places are sorted by id.
type located struct {
	place
	point orb.Point
	where string
}

// geojson stages the features of all files, which it keeps in memory to sort them by id.
func (s stager) geojson(ctx context.Context, files []string) error {
	var list []located
	for _, file := range files {
		s.out.Part(filepath.Base(file))
		if err := s.features(ctx, file, &list); err != nil {
			return finish(ctx, file, err)
		}
	}
	s.out.Part("")
	slices.SortStableFunc(list, func(a, b located) int { return cmp.Compare(a.ID, b.ID) })
	for i := range list {
		if err := s.put(&list[i].place, list[i].point, list[i].where); err != nil {
			return err
		}
	}
	return nil
}

func (s stager) features(ctx context.Context, path string, list *[]located) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return geojson.NewReader(file, s.limits).Each(ctx, filepath.Base(path), s.out, func(f geojson.Feature, where string) error {
		s.feature(f, where, list)
		return nil
	})
}

func (s stager) feature(f geojson.Feature, where string, list *[]located) {
	l := located{where: where}
	if f.Properties != nil {
		if err := l.place.decode(f.Properties); err != nil {
			s.out.Issue(source.MalformedRecord, where)
			return
		}
	}
	l.ID = cmp.Or(f.ID, l.ID)
	point, ok := f.Geometry.(orb.Point)
	if !ok {
		why := source.WrongGeometryType
		if f.Geometry == nil {
			why = source.MissingGeometry
		}
		s.out.Issue(why, where)
		return
	}
	l.point = point
	*list = append(*list, l)
}
