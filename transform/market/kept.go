package market

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"unsafe"

	"quartier/internal/pack"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
)

// keptName is the file of the work folder in which a computation keeps what the next one may reuse: the rows of all listings
// and the cells of closed intervals. It is replaced as a whole, and removing it changes no result.
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
	Sizes      [4]uintptr // of the stored structs
}

var sizes = [4]uintptr{unsafe.Sizeof(relist.Listing{}), unsafe.Sizeof(note{}), unsafe.Sizeof(figures.Span{}), unsafe.Sizeof(figures.Sale{})}

// kept is a kept file, open. The rows of its store are the mapped file.
type kept struct {
	head
	store *store
	cells pack.Lists[byte] // of closed intervals, by geography
	file  *pack.File
}

// openKept opens what an earlier computation kept; the error says why there is nothing to reuse.
func openKept(work string) (*kept, error) {
	if work == "" {
		return nil, errors.New("no work folder")
	}
	f, err := pack.Open(filepath.Join(work, keptName))
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
		spans: structs[figures.Span](l, "spans"), sales: structs[figures.Sale](l, "sales"), joined: map[int32]figures.Joined{}}
	sets := pack.LoadLists[uint32](l, "sets", pack.Any)
	for n := range sets.Len() {
		s.sets = append(s.sets, bytesOf[uint32](sets.At(n)))
	}
	numbers, joined := pack.Load[int32](l, "joined", pack.Any), structs[figures.Joined](l, "joined.rows")
	k.cells, k.store = pack.LoadLists[byte](l, "cells", pack.Any), s
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
	pack.Put(w, name, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), size*len(list)))
}

// keeper writes a kept file.
type keeper struct {
	out   *pack.Writer
	cells *pack.ListsWriter[byte]
	added int
}

// newKeeper begins the file of a work folder; nil without one.
func newKeeper(work string, h head, s *store) (*keeper, error) {
	if work == "" {
		return nil, nil
	}
	out, err := pack.Create(filepath.Join(work, keptName))
	if err != nil {
		return nil, err
	}
	h.Sizes = sizes
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	pack.Put(out, "head", text)
	putStructs(out, "links", s.links)
	putStructs(out, "notes", s.notes)
	putStructs(out, "ends", s.ends)
	putStructs(out, "spans", s.spans)
	putStructs(out, "sales", s.sales)
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
	return &keeper{out: out, cells: pack.NewLists[byte](out, "cells")}, out.Err()
}

// add adds the cells of a geography; indexes ascend, those left out have none.
func (k *keeper) add(geography int, cells []byte) {
	for ; k.added < geography; k.added++ {
		k.cells.Append(nil)
	}
	k.added++
	k.cells.Append(cells)
}

// encodeClosed appends the cells of closed intervals: type, interval, the set of metrics, and their values as varints.
func encodeClosed(dst []byte, cells []market.Cell, intervals []market.Interval) []byte {
	for n := range cells {
		c := &cells[n]
		if !intervals[c.Interval].Closed {
			continue
		}
		var mask uint64
		for m, v := range c.Values {
			if v != market.Absent {
				mask |= 1 << m
			}
		}
		dst = append(dst, byte(c.Type), c.Interval)
		dst = binary.AppendUvarint(dst, mask)
		for rest := mask; rest != 0; rest &= rest - 1 {
			dst = binary.AppendVarint(dst, c.Values[bits.TrailingZeros64(rest)])
		}
	}
	return dst
}

// decodeClosed appends the cells of intervals that are still there, by their new index (−1: gone), and not to be computed again.
func decodeClosed(dst []market.Cell, data []byte, index []int, need []bool) ([]market.Cell, error) {
	damaged := errors.New("kept cells are damaged")
	for len(data) > 0 {
		if len(data) < 3 || data[0] >= byte(market.TypeCount) || int(data[1]) >= len(index) {
			return dst, damaged
		}
		kind, to := market.PropertyType(data[0]), index[data[1]]
		mask, n := binary.Uvarint(data[2:])
		if n <= 0 || mask>>market.MetricCount != 0 {
			return dst, damaged
		}
		data = data[2+n:]
		if to < 0 || need[to] {
			for range bits.OnesCount64(mask) {
				if _, n = binary.Uvarint(data); n <= 0 {
					return dst, damaged
				}
				data = data[n:]
			}
			continue
		}
		dst = append(dst, market.Cell{Type: kind, Interval: uint8(to), Values: absent})
		values := &dst[len(dst)-1].Values
		for rest := mask; rest != 0; rest &= rest - 1 {
			v, n := binary.Varint(data)
			if n <= 0 {
				return dst, damaged
			}
			values[bits.TrailingZeros64(rest)], data = v, data[n:]
		}
	}
	return dst, nil
}

// absent are no values.
var absent = func() (v market.Values) {
	for m := range v {
		v[m] = market.Absent
	}
	return v
}()
