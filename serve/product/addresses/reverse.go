package addresses

import (
	"slices"
	"strings"

	"quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/addressing"
	"quartier/schemas/attributions"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// The radius around a point within which an address is near it.
const (
	defaultRadiusM = 250.0
	maxRadiusM     = 5000.0
)

// reverseQuery is the query of GET /v3/addresses/reverse.
type reverseQuery struct {
	Lat, Lng param.Value[float64]
	Radius   param.Value[float64]
	Language param.Value[string]
}

// Reverse is GET /v3/addresses/reverse.
func Reverse() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getAddressAtPoint",
		Path:    "/v3/addresses/reverse",
		Product: "addresses",
		Summary: "The address nearest to a point",
		Doc:     "204 where no address is within the radius.",
		Body:    addressing.AddressAtPointAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion, scope.ErrNoAddresses, endpoint.ErrNothing},
	}, param.NewSet[reverseQuery](nil,
		param.Latitude("lat", func(q *reverseQuery) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *reverseQuery) *param.Value[float64] { return &q.Lng }).Required(),
		param.Positive("radius", maxRadiusM, defaultRadiusM, func(q *reverseQuery) *param.Value[float64] { return &q.Radius }).
			Doc("Metres around the point, at most 5000."),
		endpoint.Language("Language of labels and attributions.", func(q *reverseQuery) *param.Value[string] { return &q.Language }),
	), answerReverse)
}

// answerReverse appends a addressing.AddressAtPointAnswer to the body.
func answerReverse(r *endpoint.Request, q *reverseQuery, near *addresses.Nearby) error {
	if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
		return err
	}
	m, metres, found, err := r.Release.NearestAddress(q.Lng.V, q.Lat.V, q.Radius.V, near)
	if err != nil {
		return err
	}
	if !found {
		return endpoint.ErrNothing
	}
	w := writer{r, q.Language.V, []addressing.AddressSource{}}
	data := addressing.AddressAtPoint{Match: w.match(&m)}
	data.Match.Proximity = &schemas.BaseProximity{LinearDistance: rounded(metres, 10)}
	data.Sources = w.sources
	r.Body = endpoint.AppendEncoded(r.Body, addressing.AddressAtPointAnswer{Data: data, Meta: schemas.NewMeta("addresses/reverse", 200)})
	return nil
}

// addSource adds a source of the release, "region/id", unless it is there.
func (w *writer) addSource(name string) {
	if slices.ContainsFunc(w.sources, func(s addressing.AddressSource) bool { return s.ID == name }) {
		return
	}
	region, id, _ := strings.Cut(name, "/")
	all := w.r.Release.Manifest().Sources
	if i := slices.IndexFunc(all, func(s schemas.ReleaseSource) bool { return s.Region == region && s.ID == id }); i >= 0 {
		line := attributions.Of(all[i : i+1])[0]
		w.sources = append(w.sources, addressing.AddressSource{ID: name, Attribution: line.Text.In(w.language), Licence: line.Licence})
	}
}
