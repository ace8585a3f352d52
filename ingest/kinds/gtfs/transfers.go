package gtfs

import (
	"slices"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// transferReader reads the rows of transfers.txt.
type transferReader struct {
	*scheduler
	t                   *tableReader
	from, to, kind, min int   // columns
	limits              []int // columns of routes and trips
	seen                map[[2]int32]bool
	failed              error
}

func (r *transferReader) row() reason.Reason {
	row := source.ScheduleTransfer{}
	switch kind := string(r.t.At(r.kind)); kind {
	case "", "0":
	case "1", "2", "3":
		row.Kind = int32(kind[0] - '0')
	case "4", "5":
		return inSeatTransfer
	default:
		return invalidTransfer
	}
	if slices.ContainsFunc(r.limits, func(column int) bool { return len(r.t.At(column)) > 0 }) {
		return limitedTransfer
	}
	if text := r.t.At(r.min); len(text) > 0 {
		seconds, err := strconv.ParseUint(string(text), 10, 16)
		if err != nil {
			return invalidTransfer
		}
		n := int32(seconds)
		row.MinS = &n
	}
	from, to := r.stopsOf(r.t.At(r.from)), r.stopsOf(r.t.At(r.to))
	if from == nil || to == nil {
		return unknownTransferStop
	}
	for _, a := range from {
		for _, b := range to {
			r.between(row, a, b)
		}
	}
	return reason.Reason{}
}

// stopsOf are the stops of an id: of a station those in it; nil where it is neither.
func (r *transferReader) stopsOf(id []byte) []int32 {
	stop, known := r.stops.place[string(id)]
	if known && stop != notAStop {
		return []int32{stop}
	}
	return r.stops.children[string(id)]
}

// between stages a transfer between two stops of trips; where no trip stops there is none.
func (r *transferReader) between(row source.ScheduleTransfer, from, to int32) {
	a, ok1 := r.calls[from]
	b, ok2 := r.calls[to]
	if !ok1 || !ok2 || r.seen[[2]int32{a, b}] || r.failed != nil {
		return
	}
	r.seen[[2]int32{a, b}] = true
	row.FromStop, row.ToStop = a, b
	r.failed = r.out.Row(row)
}
