package sorter_test

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/sorter"
)

func TestSortedAsInMemory(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 0, 300).Draw(t, "records")
		s := sorter.New(dir, rapid.IntRange(0, 8000).Draw(t, "room"), bytes.Compare)
		defer s.Close()
		for _, r := range records {
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		var got [][]byte
		if err := s.Each(func(r []byte) error { got = append(got, bytes.Clone(r)); return nil }); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(records, bytes.Compare)
		if !slices.EqualFunc(got, records, bytes.Equal) {
			t.Fatalf("%q, want %q", got, records)
		}
	})
}

func TestErrorOfVisitEndsIt(t *testing.T) {
	planted := errors.New("planted")
	for _, room := range []int{0, 1 << 20} {
		s := sorter.New(t.TempDir(), room, bytes.Compare)
		for i := range 100 {
			if err := s.Add(strconv.AppendInt(nil, int64(i), 10)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Each(func([]byte) error { return planted }); !errors.Is(err, planted) {
			t.Errorf("%v with room for %d bytes", err, room)
		}
		s.Close()
	}
}

func TestFolderIsNotThere(t *testing.T) {
	s := sorter.New("/no/such/folder", 0, bytes.Compare)
	defer s.Close()
	err := s.Add([]byte("a"))
	if err == nil {
		err = s.Add([]byte("b"))
	}
	if err == nil {
		t.Error("a run is written to a folder that does not exist")
	}
}

// TestMemoryDoesNotGrow compares the live heap of a sorter with n records and with twice as many.
func TestMemoryDoesNotGrow(t *testing.T) {
	live := func(n int) float64 {
		s := sorter.New(t.TempDir(), 1<<20, bytes.Compare)
		defer s.Close()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range n {
			if err := s.Add(strconv.AppendInt(make([]byte, 0, 64), int64(i*7919%n), 10)); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(s)
		return float64(after.HeapAlloc) - float64(before.HeapAlloc)
	}
	if one, two := live(300_000), live(600_000); two > 1.3*one {
		t.Errorf("%.0f bytes for n records, %.0f for 2n", one, two)
	}
}
