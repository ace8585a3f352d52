package schedule

import (
	"slices"
	"testing"
)

func TestDays(t *testing.T) {
	d := NewDays(10)
	d.Add(0)
	d.Add(9)
	for day := -1; day < 20; day++ {
		if d.Has(day) != (day == 0 || day == 9) {
			t.Errorf("day %d: %v", day, d.Has(day))
		}
	}
}

func TestStopsComeBack(t *testing.T) {
	stops := []uint32{7, 0, 1<<32 - 1}
	if got, err := Stops(AppendStops(nil, stops...)); err != nil || !slices.Equal(got, stops) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Stops([]byte{1, 2, 3}); err == nil {
		t.Error("three bytes are stops")
	}
}

func TestTimesComeBack(t *testing.T) {
	times := []uint32{28_800, 28_800, 28_930, 28_950, MaxSeconds, MaxSeconds}
	data := AppendTimes(nil, times...)
	if got, err := Times(nil, data); err != nil || !slices.Equal(got, times) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range [][]byte{AppendTimes(nil, MaxSeconds+1), append(data, 1), {0x80}} {
		if got, err := Times(nil, bad); err == nil {
			t.Errorf("%x is %v", bad, got)
		}
	}
}

// FuzzTimes decodes any bytes: times never go back and never exceed the limit.
func FuzzTimes(f *testing.F) {
	f.Add(AppendTimes(nil, 100, 160, 90_000))
	f.Fuzz(func(t *testing.T, data []byte) {
		times, err := Times(nil, data)
		if !slices.IsSorted(times) || len(times) > 0 && times[len(times)-1] > MaxSeconds {
			t.Errorf("%x: %v, %v", data, times, err)
		}
	})
}
