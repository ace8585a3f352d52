package enrich_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/serve/enrich"
	reached "quartier/serve/product/travel"
	"quartier/serve/release"
	"quartier/serve/scope"
	"quartier/serve/servetest"
)

func opened(t *testing.T) *release.Release {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "places")
	_, err := servetest.Write(dir, servetest.Release{})
	require.NoError(t, err)
	from, err := release.Open(dir)
	require.NoError(t, err)
	t.Cleanup(from.Done)
	return from
}

// TestReachIsTheAPIs compares what is reached, row by row, with what answers the API's requests.
func TestReachIsTheAPIs(t *testing.T) {
	from := opened(t)
	e, err := enrich.New(from, enrich.Choice{Add: []string{"reach:walk:15", "reach:transit:45", "reach:walk:5"}}, enrich.Client{})
	require.NoError(t, err)
	at, nowhere := orb.Point{servetest.Lng, servetest.StreetLat}, orb.Point{servetest.Lng, servetest.UncoveredLat}
	w := e.Worker()
	w.Fill([]orb.Point{at, nowhere})
	values := map[string]int64{}
	for i, column := range w.Arrays(0, 2, false) {
		name := e.Columns()[i].Name
		if name == enrich.StatusName || strings.HasSuffix(name, "_coverage") {
			continue
		}
		if numbers := column.(*array.Int64); !numbers.IsNull(0) {
			values[name] = numbers.Value(0)
		}
		if !column.IsNull(1) {
			t.Errorf("%s is known where no street is near", name)
		}
	}
	var client scope.Release
	client.Open(from, "", nil)
	var counter reached.Counter
	point, _ := coord.NewPoint(at[0], at[1])
	want := map[string]int64{}
	for mode, minutes := range map[travel.Mode][]int{travel.Walk: {5, 15}, travel.Transit: {45}} {
		o := travel.Defaults(mode)
		o.MaxMinutes = minutes[len(minutes)-1]
		client.CheckPlace(at[0], at[1])
		results, err := counter.Reach(context.Background(), &client, point, o, minutes)
		require.NoError(t, err)
		require.Len(t, results, len(minutes), mode)
		for i, one := range results {
			prefix := fmt.Sprintf("reach_%v_%d_", mode, minutes[i])
			if one.People != nil {
				want[prefix+"people"] = int64(one.People.Value)
			}
			if one.Households != nil {
				want[prefix+"households"] = int64(one.Households.Value)
			}
			if one.Jobs != nil {
				want[prefix+"jobs"] = int64(*one.Jobs)
			}
			want[prefix+"pois"] = int64(one.POIs.Total)
		}
	}
	require.Greater(t, len(values), 5)
	require.Equal(t, want, values)
}

// TestReachIsChosen says what is wrong with a choice.
func TestReachIsChosen(t *testing.T) {
	from := opened(t)
	for add, says := range map[string]string{
		"reach":            "it is chosen with a mode and minutes, as reach:transit:45",
		"reach:boat:45":    `"boat:45" is not of the form transit:45`,
		"reach:walk:0":     "1 to 90 minutes",
		"reach:transit:91": "1 to 90 minutes",
		"reach:transit":    "is not of the form transit:45",
	} {
		_, err := enrich.New(from, enrich.Choice{Add: []string{add}}, enrich.Client{})
		require.ErrorContains(t, err, says, add)
	}
	agreed := enrich.Client{Customer: "Acme", Products: []string{"scores"}}
	_, err := enrich.New(from, enrich.Choice{Add: []string{"reach:walk:15"}}, agreed)
	require.ErrorContains(t, err, "does not include travel")
}
