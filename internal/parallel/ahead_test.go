package parallel

import (
	"errors"
	"iter"
	"testing"
)

// numbers yields the numbers below n, and then an error, and sets ended when it ends.
func numbers(n int, err error, ended *bool) iter.Seq2[*int, error] {
	return func(yield func(*int, error) bool) {
		defer func() { *ended = true }()
		row := 0 // the same for all, as a row of a query
		for i := range n {
			if row = i; !yield(&row, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func TestAheadYieldsTheSame(t *testing.T) {
	planted := errors.New("planted")
	for _, want := range []error{nil, planted} {
		for _, n := range []int{0, 1, aheadRows - 1, aheadRows, 5*aheadRows + 3} {
			next, ended := 0, false
			var got error
			for row, err := range Ahead(numbers(n, want, &ended)) {
				if got = err; err != nil {
					continue
				}
				if *row != next {
					t.Fatalf("%d, want %d", *row, next)
				}
				next++
			}
			if next != n || !errors.Is(got, want) || !ended {
				t.Errorf("%d of %d rows, error %v, want %v; ended: %v", next, n, got, want, ended)
			}
		}
	}
}

func TestAheadIsLeftEarly(t *testing.T) {
	for _, last := range []int{0, aheadRows, 20 * aheadRows} {
		ended := false
		for row := range Ahead(numbers(100*aheadRows, nil, &ended)) {
			if *row == last {
				break
			}
		}
		if !ended {
			t.Errorf("the sequence goes on after row %d", last)
		}
	}
}
