package scorestats

import (
	"database/sql"
	"testing"
)

func TestSpread(t *testing.T) {
	r := newRegion("r")
	values := make([]sql.NullInt64, len(r.Scores))
	for _, v := range []int64{0, 10000, 20000, 50000} {
		values[0] = sql.NullInt64{Int64: v, Valid: true}
		r.add(values)
	}
	s := r.Scores[0]
	if r.Nodes != 4 || s.Known != 4 || r.Scores[1].Known != 0 {
		t.Fatalf("%d nodes, %d known", r.Nodes, s.Known)
	}
	for _, c := range []struct{ share, want float64 }{{0.1, 0}, {0.25, 0}, {0.5, 1}, {0.75, 2}, {0.9, 5}} {
		if got := s.Quantile(c.share); got != c.want {
			t.Errorf("quantile %v is %v, want %v", c.share, got, c.want)
		}
	}
	if got := s.Share(0, 0); got != 0.25 {
		t.Errorf("share at 0 is %v", got)
	}
	if got := r.Scores[1].Share(0, 5); got != 0 {
		t.Errorf("share of nothing is %v", got)
	}
}
