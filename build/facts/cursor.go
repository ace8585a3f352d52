package facts

import "iter"

// cursor reads rows that are ordered by geography, for geographies in the same order. Its methods may be called on nil.
type cursor[T any] struct {
	next func() (*T, error, bool)
	end  func()
	id   func(*T) string
	row  *T // that was read last and belongs to a later geography; nil: none
	done bool
}

func newCursor[T any](rows iter.Seq2[*T, error], id func(*T) string) *cursor[T] {
	next, stop := iter.Pull2(rows)
	return &cursor[T]{next: next, end: stop, id: id}
}

// of returns the rows of a geography.
func (c *cursor[T]) of(id string) (list []T, err error) {
	for !c.done {
		if c.row == nil {
			row, err, ok := c.next()
			if err != nil {
				return nil, err
			}
			if !ok {
				c.done = true
				break
			}
			copied := *row
			c.row = &copied
		}
		if c.id(c.row) > id {
			break
		}
		if c.id(c.row) == id {
			list = append(list, *c.row)
		}
		c.row = nil
	}
	return list, nil
}

func (c *cursor[T]) stop() {
	if c != nil {
		c.end()
	}
}
