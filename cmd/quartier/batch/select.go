package batch

import (
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/internal/arrowfile"
)

// limited is the first rows of a file.
type limited struct {
	arrowfile.Reader
	left int64
}

func (l *limited) Rows() int64 {
	if rows := l.Reader.Rows(); rows >= 0 {
		return min(rows, l.left)
	}
	return -1
}

func (l *limited) Next() (arrow.Record, error) {
	if l.left == 0 {
		return nil, io.EOF
	}
	rows, err := l.Reader.Next()
	if err != nil || rows.NumRows() <= l.left {
		if err == nil {
			l.left -= rows.NumRows()
		}
		return rows, err
	}
	defer rows.Release()
	first := rows.NewSlice(0, l.left)
	l.left = 0
	return first, nil
}

// sampled is a share of the rows of a file, drawn by their numbers: the same ones in every run.
type sampled struct {
	arrowfile.Reader
	share float64
	row   uint64
}

func (s *sampled) Rows() int64 { return -1 }

// drawn reports whether a row is in the sample: by the mixing function of SplitMix64 over its number.
func (s *sampled) drawn(row uint64) bool {
	x := (row + 1) * 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	x ^= x >> 31
	return float64(x>>11)/(1<<53) < s.share
}

func (s *sampled) Next() (arrow.Record, error) {
	for {
		rows, err := s.Reader.Next()
		if err != nil {
			return nil, err
		}
		var runs [][2]int64
		for i := range rows.NumRows() {
			if !s.drawn(s.row + uint64(i)) {
				continue
			}
			if n := len(runs); n > 0 && runs[n-1][1] == i {
				runs[n-1][1]++
			} else {
				runs = append(runs, [2]int64{i, i + 1})
			}
		}
		s.row += uint64(rows.NumRows())
		if len(runs) > 0 {
			return take(rows, runs)
		}
		rows.Release()
	}
}

// take is runs of the rows of a record, which it releases.
func take(rows arrow.Record, runs [][2]int64) (arrow.Record, error) {
	defer rows.Release()
	var columns []arrow.Array
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for _, c := range rows.Columns() {
		var slices []arrow.Array
		for _, run := range runs {
			slices = append(slices, array.NewSlice(c, run[0], run[1]))
		}
		joined, err := array.Concatenate(slices, memory.DefaultAllocator)
		for _, s := range slices {
			s.Release()
		}
		if err != nil {
			return nil, err
		}
		columns = append(columns, joined)
	}
	return array.NewRecord(rows.Schema(), columns, int64(columns[0].Len())), nil
}
