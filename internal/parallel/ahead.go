package parallel

import "iter"

// aheadRows is how many rows are handed on at once.
const aheadRows = 1024

// Ahead yields the rows of a sequence, as copies, while another goroutine reads the next ones. An error is the last pair. The
// sequence has ended when the loop has, whatever ended it.
func Ahead[T any](rows iter.Seq2[*T, error]) iter.Seq2[*T, error] {
	type batch struct {
		rows []T
		err  error // after the rows
	}
	return func(yield func(*T, error) bool) {
		batches, stop := make(chan batch, 2), make(chan struct{})
		go func() {
			defer close(batches)
			var b batch
			pass := func() bool {
				select {
				case batches <- b:
					b = batch{rows: make([]T, 0, aheadRows)}
					return true
				case <-stop:
					return false
				}
			}
			for row, err := range rows {
				if b.err = err; err != nil {
					break
				}
				if b.rows = append(b.rows, *row); len(b.rows) == aheadRows && !pass() {
					return
				}
			}
			pass()
		}()
		defer func() {
			close(stop)
			for range batches { // until the reader has ended
			}
		}()
		for b := range batches {
			for i := range b.rows {
				if !yield(&b.rows[i], nil) {
					return
				}
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
		}
	}
}
