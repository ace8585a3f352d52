package table

import (
	"errors"
	"io"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// TestMemoryIsBounded reads rows without end. Each is refused with its line.
func TestMemoryIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name, begin, rest, says string
		mb                      uint64
	}{
		{"field", "a,b\n1,", "x", "the row of line 2 has more than 8388608 bytes", 64},
		{"quoted field", "a,b\n1,\"", "x", "the row of line 2 has more than 8388608 bytes", 64},
		{"lines of a quoted field", "a,b\n1,\"", "x\n", "a quote in line 2 is never closed", 1},
		{"long lines of a quoted field", "a,b\n1,\"", strings.Repeat("x", 1<<20) + "\n",
			"the row of line 2, whose quote may never be closed, has more than 8388608 bytes", 64},
		{"header", "", "x", "the row of line 1 has more than 8388608 bytes", 64},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			used := testenv.Allocated(func() {
				var table *Table
				table, err = New(io.MultiReader(strings.NewReader(tt.begin), io.LimitReader(testenv.Endless(tt.rest), 1<<30)), Dialect{Comma: ','})
				for err == nil {
					err = table.Next()
				}
			})
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
			if used > tt.mb<<20 {
				t.Errorf("%d MB were allocated, at most %d are expected", used>>20, tt.mb)
			}
		})
	}
}

func TestColumnsAreBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("a,", 1<<20), strings.Repeat(`"a",`, 1<<20), "a,b\n" + strings.Repeat(",", 1<<20) + "1"} {
		var err error
		used := testenv.Allocated(func() {
			var table *Table
			if table, err = New(strings.NewReader(text), Dialect{Comma: ','}); err == nil {
				err = table.Next()
			}
		})
		if !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), "has more than 20000 fields") {
			t.Errorf("%.20s…: error %v", text, err)
		}
		if used > 32<<20 {
			t.Errorf("%.20s…: %d MB were allocated", text, used>>20)
		}
	}
	if table, err := New(strings.NewReader(strings.Repeat("a,", source.MaxColumns-1)+"b\n"), Dialect{Comma: ','}); err != nil ||
		table.Column("b") != source.MaxColumns-1 {
		t.Errorf("as many columns as are allowed: %v", err)
	}
}
