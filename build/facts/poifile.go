package facts

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/pack"
)

// poi is a place that counts.
type poi struct {
	at         orb.Point
	categories uint64 // a bit for each of counted, and frontBit
	fid        int64  // of a school, negative
	brand      uint32 // in poiIndex.brands; 0: none
	street     uint32 // that it fronts on, from 1; 0: none is known; while they are resolved also byAddress
}

// poiSize is the size of a place in a file.
const poiSize = 40

func (p *poi) append(to []byte) []byte {
	order := binary.LittleEndian
	to = order.AppendUint64(to, math.Float64bits(p.at[0]))
	to = order.AppendUint64(to, math.Float64bits(p.at[1]))
	to = order.AppendUint64(to, p.categories)
	to = order.AppendUint64(to, uint64(p.fid))
	to = order.AppendUint32(to, p.brand)
	return order.AppendUint32(to, p.street)
}

func readPOI(from []byte) poi {
	order := binary.LittleEndian
	return poi{
		at:         orb.Point{math.Float64frombits(order.Uint64(from)), math.Float64frombits(order.Uint64(from[8:]))},
		categories: order.Uint64(from[16:]), fid: int64(order.Uint64(from[24:])),
		brand: order.Uint32(from[32:]), street: order.Uint32(from[36:]),
	}
}

// blockPOIs is the number of places that are read at once. By fid they are along a curve, so that those of a block are near
// each other.
const blockPOIs = 128

// poiFile is places in a temporary file, in blocks, with the boxes of the blocks.
type poiFile struct {
	spool  *pack.Spool
	count  int
	boxes  []orb.Bound
	record []byte
}

func newPOIFile(dir string) (*poiFile, error) {
	spool, err := pack.NewSpool(dir)
	return &poiFile{spool: spool}, err
}

func (x *poiFile) close() { x.spool.Close() }

func (x *poiFile) add(places ...poi) error {
	for i := range places {
		p := &places[i]
		if x.count%blockPOIs == 0 {
			x.boxes = append(x.boxes, p.at.Bound())
		}
		last := &x.boxes[len(x.boxes)-1]
		*last = last.Extend(p.at)
		x.count++
		x.record = p.append(x.record[:0])
		if _, err := x.spool.Append(x.record); err != nil {
			return fmt.Errorf("keep places: %w", err)
		}
	}
	return nil
}

// read appends the places of a block, when all are flushed. It may be called by several goroutines.
func (x *poiFile) read(block int, places []poi) ([]poi, error) {
	var data [blockPOIs * poiSize]byte
	first := block * blockPOIs
	part := data[:poiSize*min(blockPOIs, x.count-first)]
	if _, err := x.spool.ReadAt(part, int64(first)*poiSize); err != nil {
		return places, fmt.Errorf("read places that were kept: %w", err)
	}
	for ; len(part) > 0; part = part[poiSize:] {
		places = append(places, readPOI(part))
	}
	return places, nil
}

// each visits all places, block after block. Those of a block are valid until visit returns.
func (x *poiFile) each(visit func([]poi) error) error {
	err := x.spool.Flush()
	var places []poi
	for block := 0; block < len(x.boxes) && err == nil; block++ {
		if places, err = x.read(block, places[:0]); err == nil {
			err = visit(places)
		}
	}
	return err
}
