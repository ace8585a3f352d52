package household

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Homes in a file are those in memory, and nothing is left in the folder.
func TestBuilderIsTheIndexInMemory(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		list := drawHomes(t)[rapid.IntRange(0, 1).Draw(t, "without"):]
		want := NewIndex(list)
		b, err := NewBuilder(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if err := b.Add(&list[i]); err != nil {
				t.Fatal(err)
			}
		}
		got, err := b.Index()
		if err != nil || b.Close() != nil {
			t.Fatalf("error %v", err)
		}
		if !slices.Equal(got.Homes, want.Homes) {
			t.Fatalf("%v, want %v", got.Homes, want.Homes)
		}
		for _, h := range list {
			box := h.Point.Bound().Pad(0.01)
			if found := got.InBox(nil, box); !slices.Equal(found, want.InBox(nil, box)) {
				t.Fatalf("%v in %v, want %v", found, box, want.InBox(nil, box))
			}
		}
		for range 2 {
			if err := got.Close(); err != nil || got.Homes != nil {
				t.Fatalf("error %v of an index that is closed", err)
			}
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("error %v, left is %v", err, left)
	}
}

func TestBuilderFails(t *testing.T) {
	if _, err := NewBuilder(t.TempDir() + "/none"); err == nil {
		t.Error("there is no folder, and no error")
	}
	b, err := NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if b.Add(&Home{}) == nil {
		t.Error("a home is added to a builder that is closed")
	}
	if _, err := b.Index(); err == nil {
		t.Error("a builder that is closed has an index")
	}
}
