package column

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"quartier/schemas"
	"quartier/schemas/market"
)

// MarketMember is a member of schemas.MarketPeriods, or the end of an object.
type MarketMember struct {
	Name    string        // "" of an end
	Columns []string      // keys of columns: of the objects around that have one, then its own
	Metric  market.Metric // unless it is an object
	Again   bool          // an earlier member has the same metric
	Object  bool          // it is the beginning of an object or, without a name, its end
}

// MarketMembers are the members of schemas.MarketPeriods with a metric, in the order of the JSON.
var MarketMembers = sync.OnceValue(func() []MarketMember {
	return marketMembers(reflect.TypeFor[schemas.MarketPeriods](), "", nil)
})

func marketMembers(t reflect.Type, path string, around []string) (all []MarketMember) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type.Kind() == reflect.Pointer {
			field.Type = field.Type.Elem()
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		m := MarketMember{Name: name, Columns: around, Object: field.Type.Kind() == reflect.Struct}
		if key := field.Tag.Get("column"); key != "" {
			m.Columns = append(slices.Clone(around), key)
		}
		switch {
		case m.Object && field.Type == reflect.TypeFor[schemas.MarketPeriod]():
		case m.Object:
			all = append(append(all, m), marketMembers(field.Type, path+name+".", m.Columns)...)
			all = append(all, MarketMember{Object: true})
		default:
			m.Metric, m.Again = metricAt(path + name)
			all = append(all, m)
		}
	}
	return all
}

// metricAt is the metric with a path in schemas.MarketPeriods, and whether it is not its first one.
func metricAt(path string) (market.Metric, bool) {
	for m := range market.MetricCount {
		if at := slices.Index(m.Members(), path); at >= 0 {
			return m, at > 0
		}
	}
	panic("metrics.tsv has no metric at " + path)
}
