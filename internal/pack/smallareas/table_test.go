package smallareas

import (
	"testing"

	"quartier/internal/margin"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func value(cell int, estimate, moe float64) Value {
	return Value{cell, margin.Figure{Estimate: estimate, MOE: moe}}
}
