package explore

import (
	"net/http"
	"net/url"

	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/release"
)

// answerParents answers with what contains a geography by area, the lowest level first: /explore/parents/g30_….
//
// The API is asked for the geography first. What it refuses is passed on as it is, so that rights, regions, limits and errors are
// the same. The answer is like that of /v3/geographies, without geometry. What is no geog_id is not asked: below /v3/geographies
// there are other paths too, such as custom.
func (e *Explorer) answerParents(v *visit, id string) error {
	if _, ok := schemas.LevelOfGeogID(id); !ok {
		return errNoPath
	}
	api := &captured{header: v.W.Header()}
	v.API(api, callOf(v.HTTP, "/v3/geographies/"+url.PathEscape(id), ""), v.account)
	if api.status != http.StatusOK {
		return api.send(v)
	}
	if v.release == nil {
		return errNoRelease
	}
	r := v.release
	var found []int
	for _, parent := range parentsOf(r, id) {
		if i, ok := r.Geographies.ByID(parent); ok && allowsAny(&v.account.Agreement, r.Regions(i)) {
			found = append(found, i)
		}
	}
	b := []byte(`{"data":{"type":"geographies","geographies":{`)
	for _, i := range found {
		b = endpoint.AppendComma(b)
		b, _ = r.Geographies.AppendMember(b, i, false)
	}
	b = append(b, `}},"meta":{"order":[`...)
	for _, i := range found {
		b = endpoint.AppendComma(b)
		b = r.Geographies.AppendID(b, i)
	}
	write(v, http.StatusOK, jsonType, append(b, `]}}`...))
	return nil
}

// parentsOf are the geog_ids of the parents of a geography of the release or of a customer.
func parentsOf(r *release.Release, id string) []string {
	if i, ok := r.Geographies.ByID(id); ok {
		return r.Geographies.Parents(i)
	}
	if r.Private != nil {
		if i, ok := r.Private.Geographies.ByID(id); ok {
			return r.Private.Geographies.Parents(i)
		}
	}
	return nil
}
