package market

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
)

// keptName is the file of the folder schemas.KeptFolder in which a computation keeps what the next one may reuse: the rows of
// all listings. It is written to schemas.KeptNext, which the next component replaces that folder by. Removing it changes no
// result.
const keptName = "market.kept"

// basis is what kept rows and cells depend on beside the listings: of another one nothing is reused.
type basis struct {
	Program string // version of this package's results
	Release string // digest of the places release
	Rules   string // digest of the calibration
	Zones   string // digest of the time zones
	Store   string // of market.duckdb
}

// head is the description of a kept file.
type head struct {
	Basis      basis
	Generation int64      // of market.duckdb
	AsOf       market.Day // of the cells
	Sizes      [5]uintptr // of the stored structs
}

var sizes = [5]uintptr{unsafe.Sizeof(relist.Listing{}), unsafe.Sizeof(relist.Edge{}), unsafe.Sizeof(note{}), unsafe.Sizeof(figures.Span{}),
	unsafe.Sizeof(figures.Sale{})}

// kept is a kept file, open. The rows of its store are the mapped file.
type kept struct {
	head
	store *store
	file  *pack.File
}

// openKept opens what an earlier computation kept; the error says why there is nothing to reuse.
func openKept(work string) (*kept, error) {
	if work == "" {
		return nil, errors.New("no work folder")
	}
	f, err := pack.Open(filepath.Join(work, schemas.KeptFolder, keptName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("nothing is kept")
	}
	if err != nil {
		return nil, err
	}
	k := &kept{file: f}
	if err := k.load(); err != nil {
		f.Close()
		return nil, err
	}
	return k, nil
}

func (k *kept) load() error {
	if err := k.file.Verify(); err != nil {
		return err
	}
	l := pack.NewLoader(k.file)
	if err := json.Unmarshal(pack.Load[byte](l, "head", pack.Any), &k.head); err != nil && l.Err() == nil {
		return fmt.Errorf("%s: %w", keptName, err)
	}
	if k.Sizes != sizes {
		return errors.New("what is kept is of another version")
	}
	s := &store{links: structs[relist.Listing](l, "links"), notes: structs[note](l, "notes"), ends: structs[[2]uint32](l, "ends"),
		spans: structs[figures.Span](l, "spans"), sales: structs[figures.Sale](l, "sales"), edges: structs[relist.Edge](l, "edges"),
		joined: map[int32]figures.Joined{}}
	sets := pack.LoadLists[uint32](l, "sets", pack.Any)
	for n := range sets.Len() {
		s.sets = append(s.sets, bytesOf[uint32](sets.At(n)))
	}
	numbers, joined := pack.Load[int32](l, "joined", pack.Any), structs[figures.Joined](l, "joined.rows")
	k.store = s
	if len(numbers) != len(joined) {
		l.Fail("joined listings")
	}
	if err := l.Err(); err != nil {
		return err
	}
	for n, number := range numbers {
		s.joined[number] = joined[n]
	}
	return nil
}

// bytesOf is a copy of a list that outlives its file.
func bytesOf[T any](list []T) []T { return append([]T(nil), list...) }

func (k *kept) Close() error { return k.file.Close() }

// structs is a section of bytes as structs without pointers, as this program lays them out.
func structs[T any](l *pack.Loader, name string) []T {
	data := pack.Load[byte](l, name, pack.Any)
	size := int(unsafe.Sizeof(*new(T)))
	if len(data)%size != 0 {
		l.Fail("section %s: %d bytes", name, len(data))
		return nil
	}
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
}

func putStructs[T any](w *pack.Writer, name string, list []T) {
	size := int(unsafe.Sizeof(*new(T)))
	pack.PutLater(w, name, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), size*len(list)))
}

// keep writes the kept file of a work folder; nothing without one.
func keep(work string, h head, s *store) error {
	if work == "" {
		return nil
	}
	dir := filepath.Join(work, schemas.KeptNext)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	out, err := pack.Create(filepath.Join(dir, keptName))
	if err != nil {
		return err
	}
	h.Sizes = sizes
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	pack.Put(out, "head", text)
	putStructs(out, "links", s.links)
	putStructs(out, "notes", s.notes)
	putStructs(out, "ends", s.ends)
	putStructs(out, "spans", s.spans)
	putStructs(out, "sales", s.sales)
	putStructs(out, "edges", s.edges)
	sets := pack.NewLists[uint32](out, "sets")
	for _, set := range s.sets {
		sets.Append(set)
	}
	var numbers []int32
	var joined []figures.Joined
	for n := range s.links {
		if j, ok := s.joined[int32(n)]; ok {
			numbers, joined = append(numbers, int32(n)), append(joined, j)
		}
	}
	pack.Put(out, "joined", numbers)
	putStructs(out, "joined.rows", joined)
	return out.Close()
}
