package stepping

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"quartier/internal/store"
)

// kept is a work place on another disk, as it were, and what a machine keeps of it.
type kept struct {
	*testing.T
	place *place
	objects
}

func newKept(t *testing.T, limit int64) *kept {
	t.Helper()
	p, err := openPlace(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.folder = "" // nothing is linked
	return &kept{t, p, objects{filepath.Join(t.TempDir(), "objects"), limit}}
}

// object puts so many bytes.
func (k *kept) object(n int, of byte) output {
	k.Helper()
	data := bytes.Repeat([]byte{of}, n)
	o := output{Name: "f", SHA256: sum(string(data)), Bytes: int64(n)}
	err := k.place.Put(k.Context(), store.Object{Name: store.Blob(o.SHA256), Bytes: o.Bytes, SHA256: o.SHA256}, bytes.NewReader(data))
	if err != nil {
		k.Fatal(err)
	}
	return o
}

// fetch fetches an object into a new file, and returns how many bytes were sent.
func (k *kept) fetch(o output) int64 {
	k.Helper()
	to := filepath.Join(k.TempDir(), "file")
	sent, err := k.place.fetch(k.Context(), o, to, k.objects)
	if err == nil {
		err = sameBytes(k.Context(), o, to)
	}
	if err != nil {
		k.Error(err)
	}
	return sent
}

func TestObjectsAreFetchedOnce(t *testing.T) {
	k := newKept(t, 2500)
	a := k.object(1000, 'a')
	if first, second := k.fetch(a), k.fetch(a); first != 1000 || second != 0 {
		t.Errorf("%d and %d bytes were sent", first, second)
	}
	if err := os.WriteFile(k.path(a.SHA256), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if first, second := k.fetch(a), k.fetch(a); first != 1000 || second != 0 {
		t.Errorf("damaged: %d and %d bytes were sent", first, second)
	}
	none := *k
	none.dir = ""
	if first, second := none.fetch(a), none.fetch(a); first != 1000 || second != 1000 || none.tidy() != nil {
		t.Errorf("without a folder: %d and %d bytes were sent", first, second)
	}
}

// TestObjectsWithinTheirLimit removes what was used longest ago, and nothing that is not an object.
func TestObjectsWithinTheirLimit(t *testing.T) {
	k := newKept(t, 2500)
	var all []output
	for i := range 3 {
		all = append(all, k.object(1000, byte(i)))
		k.fetch(all[i])
		ago := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(k.path(all[i].SHA256), ago, ago); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(k.dir, "mine")
	if err := os.WriteFile(mine, make([]byte, 9000), 0o600); err != nil {
		t.Fatal(err)
	}
	k.fetch(all[0])
	if err := k.tidy(); err != nil {
		t.Fatal(err)
	}
	left := fmt.Sprint(k.fetch(all[0]), k.fetch(all[1]), k.fetch(all[2]))
	if _, err := os.Stat(mine); left != "0 1000 0" || err != nil {
		t.Errorf("%s bytes are fetched again, %v", left, err)
	}
}

// TestObjectsOfSeveralProcesses fetches, damages and removes the same objects at once. All files are right.
func TestObjectsOfSeveralProcesses(t *testing.T) {
	k := newKept(t, 2000)
	var all []output
	for i := range 4 {
		all = append(all, k.object(1000, byte(i)))
	}
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for i := range 60 {
				o := all[(i+n)%4]
				k.fetch(o)
				if i%7 == 0 { // a new file of other bytes, as after a crash of the machine; not those of a file that somebody just put there
					damaged := filepath.Join(k.dir, fmt.Sprint("damaged", n))
					os.WriteFile(damaged, []byte("damaged"), 0o600)
					os.Rename(damaged, k.path(o.SHA256))
				}
				if err := k.tidy(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
