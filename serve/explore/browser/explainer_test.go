package browser_test

import (
	"context"
	"encoding/json"

	"quartier/serve/explore"
	"quartier/serve/servetest"
)

// explainer explains every score by two cafés in the north, of which one has markup in its name, and one in the south, as
// quartier explain does: what may not be shown has neither name nor coordinates. Of quiet nothing is known.
type explainer struct{}

func openExplainer(string) (explore.Explainer, error) { return explainer{}, nil }

func (explainer) Close() error { return nil }

type (
	explained struct {
		Values []value  `json:"values"`
		Notes  []string `json:"notes"`
	}
	value struct {
		Name    string   `json:"name"`
		Served  *served  `json:"served"`
		Formula string   `json:"formula"`
		Steps   []step   `json:"steps"`
		Places  []nearby `json:"places"`
	}
	step struct {
		Formula string   `json:"formula"`
		Worked  string   `json:"worked,omitempty"`
		Value   *float64 `json:"value"`
	}
	served struct {
		Value float64 `json:"value"`
	}
	nearby struct {
		Name   string    `json:"name,omitempty"`
		Class  string    `json:"class"`
		At     *position `json:"at,omitempty"`
		M      float64   `json:"m"`
		Decay  float64   `json:"decay"`
		Weight float64   `json:"weight"`
		Part   float64   `json:"part"`
		Source string    `json:"source_id"`
		Key    string    `json:"source_key"`
	}
	position struct {
		Lng float64 `json:"lng"`
		Lat float64 `json:"lat"`
	}
)

func (explainer) Explain(_ context.Context, _, _ float64, scores []string, _ string, mayShow func(lng, lat float64) bool) ([]byte, error) {
	if scores[0] == "quiet" {
		return nil, nil
	}
	places := []nearby{
		{Name: servetest.HostileName, At: &position{servetest.Lng + 0.002, servetest.NorthLat + 0.001}, M: 210, Part: 0.9, Key: "osm:node:1"},
		{Name: "Southern Beans", At: &position{servetest.Lng, servetest.SouthLat}, M: 640, Part: 0.5, Key: "osm:node:2"},
		{Name: "Café du Nord", At: &position{servetest.Lng - 0.002, servetest.NorthLat - 0.002}, M: 1180, Part: 0.1, Key: "osm:node:3"},
	}
	for i := range places {
		one := &places[i]
		one.Class, one.Source, one.Weight, one.Decay = "cafe", "osm", 1, one.Part
		if !mayShow(one.At.Lng, one.At.Lat) {
			one.Name, one.At = "", nil
		}
	}
	return json.Marshal(explained{Values: []value{{Name: scores[0], Served: &served{3.2}, Formula: "v = 1", Steps: []step{{Formula: "v = 1"}},
		Places: places}}, Notes: []string{}})
}
