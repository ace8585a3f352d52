package arrowfile

import "bytes"

// parse finds the cells of the row that begins at r.at, and returns where it ends and how many lines it has; −1 if the
// buffer ends before it and the file does not, or nothing is left.
func (r *csvReader) parse() (end, lines int, err error) {
	r.cells = r.cells[:0]
	at, n := r.at, len(r.buffer)
	if at == n {
		return -1, 0, nil
	}
	lines = 1
	for {
		cell, next, within, err := r.parseCell(at, lines)
		if err != nil || next < 0 {
			return -1, 0, err
		}
		lines += within
		r.cells = append(r.cells, cell)
		switch {
		case next == n: // the end of the file
			return n, lines, nil
		case r.buffer[next] == r.separator:
			at = next + 1
		default:
			return next + 1, lines, nil // after "\n"
		}
	}
}

// parseCell finds the cell at a position: where it ends, which is at a separator, an "\n" or the end of the file; −1 if the
// buffer ends before. within is the number of lines that end in the cell.
func (r *csvReader) parseCell(at, lines int) (cell span, next, within int, err error) {
	if at < len(r.buffer) && r.buffer[at] == '"' {
		return r.parseQuoted(at, lines)
	}
	b := r.buffer
	for next = at; next < len(b) && b[next] != r.separator && b[next] != '\n'; next++ {
	}
	if next == len(b) && !r.ended {
		return cell, -1, 0, nil
	}
	cell = span{from: at, to: next}
	if (next == len(b) || b[next] == '\n') && cell.to > at && b[cell.to-1] == '\r' {
		cell.to--
	}
	return cell, next, 0, nil
}

// parseQuoted is parseCell where it begins with a quote.
func (r *csvReader) parseQuoted(at, lines int) (cell span, next, within int, err error) {
	cell = span{from: at + 1, quoted: true}
	for i := at + 1; ; {
		length := bytes.IndexByte(r.buffer[i:], '"')
		if length < 0 && r.ended {
			return cell, -1, 0, unreadable("row %d: the quote in line %d, column %d is not closed", r.row+1, r.line+lines-1, len(r.cells)+1)
		}
		if length < 0 || i+length+1 == len(r.buffer) && !r.ended {
			return cell, -1, 0, nil
		}
		close := i + length
		next = close + 1
		if next < len(r.buffer) && r.buffer[next] == '"' {
			cell.doubled, i = true, next+1
			continue
		}
		cell.to = close
		break
	}
	if next+1 == len(r.buffer) && r.buffer[next] == '\r' && !r.ended {
		return cell, -1, 0, nil
	}
	if next < len(r.buffer) && r.buffer[next] == '\r' && (next+1 == len(r.buffer) || r.buffer[next+1] == '\n') {
		next++
	}
	within = bytes.Count(r.buffer[cell.from:cell.to], []byte("\n"))
	if next < len(r.buffer) && r.buffer[next] != r.separator && r.buffer[next] != '\n' {
		return cell, -1, 0, unreadable("row %d (line %d), column %d: %.20q follows a quote that closes the cell",
			r.row+1, r.line+lines-1+within, len(r.cells)+1, r.buffer[next:min(next+20, len(r.buffer))])
	}
	return cell, next, within, nil
}
