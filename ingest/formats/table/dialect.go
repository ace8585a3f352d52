package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"quartier/ingest/source"
	"quartier/internal/filekind"
	"quartier/schemas/reason"
)

// Dialect is how a table is written, as far as it is known. What is not is found in the first 64 KiB.
type Dialect struct {
	Comma    byte     // separator of fields, an ASCII character; 0: comma, tab, semicolon or pipe
	Encoding string   // one of Encodings; "": UTF-8, or UTF-16 where its mark or zero bytes show it
	Header   []string // columns of the header: lines before the first one with all of these are title; nil: it is the first
	Skip     int      // lines before the header
	Sheet    string   // of a workbook (.xlsx); "": the first that is not hidden
}

// Encodings are the names of encodings that files do not state.
var Encodings = []string{"utf-8", "utf-16", "latin-1", "cp1252"}

// IsComma reports whether a text is a separator of fields, or "" for one that is found.
func IsComma(option string) bool {
	return option == "" || len(option) == 1 && option[0] < utf8.RuneSelf && !strings.Contains("\"\r\n ", option)
}

var reasons reason.List

// What was found in a file and is reported once, not counted by rows.
var (
	delimiterFound   = reasons.Noted("delimiter_found", "The fields of the table are separated by another character than the comma.")
	titleSkipped     = reasons.Noted("title_lines_skipped", "Lines before the header of the table are a title and were skipped.")
	encodingFound    = reasons.Noted("utf_16_found", "The table is in UTF-16.")
	carriageReturns  = reasons.Noted("carriage_returns_found", "Lines of the table end in a carriage return alone.")
	decimalComma     = reasons.Noted("decimal_comma_found", "The numbers of a column have a decimal comma.")
	groupedThousands = reasons.Noted("thousands_separators_found", "The numbers of a column have separators between thousands.")
)

// Reasons are those that Report passes to a sink.
func Reasons() []reason.Reason { return slices.Clone(reasons) }

type note struct {
	why   reason.Reason
	where string
}

func (t *Table) note(why reason.Reason, format string, args ...any) {
	t.notes = append(t.notes, note{why, fmt.Sprintf(format, args...)})
}

// Report passes what was found about the file since the last call to a sink. Each does so too.
func (t *Table) Report(out source.Sink) {
	for _, n := range t.notes {
		out.Issue(n.why, strings.TrimSpace(t.Name+" "+n.where))
	}
	t.notes = nil
}

const sampleSize = 64 << 10 // bytes

// open decodes the file to UTF-8 with LF at the ends of lines.
func (t *Table) open(r io.Reader) error {
	raw := bufio.NewReaderSize(r, sampleSize)
	head, _ := raw.Peek(filekind.Head)
	if is := filekind.Of(head); is != "" {
		return errors.New("it is " + is)
	}
	head = head[:min(len(head), 512)]
	decoder, err := decoderOf(t.dialect.Encoding, head)
	if err != nil {
		return err
	}
	r = raw
	if decoder != nil {
		r = decoder.Reader(raw)
		if t.dialect.Encoding == "" {
			t.note(encodingFound, "")
		}
	}
	t.in = bufio.NewReaderSize(&lineEnds{in: r, lone: func() { t.note(carriageReturns, "") }}, sampleSize)
	if mark, _ := t.in.Peek(3); string(mark) == "\ufeff" {
		t.in.Discard(3) // cannot fail after Peek
	}
	return nil
}

// decoderOf returns the decoder of an encoding, or of that which the first bytes of a file show; nil for UTF-8.
func decoderOf(name string, head []byte) (*encoding.Decoder, error) {
	order := unicode.LittleEndian
	var zeros [2]int // at even and odd places
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	if bytes.HasPrefix(head, []byte("\xfe\xff")) || zeros[0] > zeros[1] {
		order = unicode.BigEndian
	}
	marked := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	const some = 0.3 // of every second byte; most characters of a table in UTF-16 are ASCII
	wide := min(zeros[0], zeros[1]) == 0 && float64(zeros[0]+zeros[1]) > some*float64(len(head)/2) && len(head) >= 8
	switch {
	case name == "latin-1":
		return charmap.ISO8859_1.NewDecoder(), nil
	case name == "cp1252":
		return charmap.Windows1252.NewDecoder(), nil
	case name == "utf-16" || name == "" && (marked || wide):
		return unicode.UTF16(order, unicode.UseBOM).NewDecoder(), nil
	case zeros != [2]int{}:
		return nil, fmt.Errorf("it has NUL bytes and is no text: %s", Shorten(strings.ToValidUTF8(string(head), "\uFFFD")))
	}
	return nil, nil
}

// lineEnds turns CRLF and CR into LF.
type lineEnds struct {
	in   io.Reader
	lone func() // called at the first CR without LF; nil after that
	cr   bool   // the last byte was CR, passed on as LF
}

// Read reads at least one byte, as long as the inner reader does.
func (l *lineEnds) Read(p []byte) (int, error) {
	for {
		n, err := l.in.Read(p)
		n = l.turn(p[:n])
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// turn changes bytes in their place and returns how many are left.
func (l *lineEnds) turn(p []byte) int {
	if !l.cr && bytes.IndexByte(p, '\r') < 0 {
		return len(p)
	}
	kept := p[:0]
	for _, c := range p {
		switch {
		case c == '\n' && l.cr: // the LF of a CRLF
			l.cr = false
			continue
		case l.cr && l.lone != nil:
			l.lone()
			l.lone = nil
		}
		if l.cr = c == '\r'; l.cr {
			c = '\n'
		}
		kept = append(kept, c)
	}
	return len(kept)
}

// find finds the separator and returns the number of the header's line.
func (t *Table) find() (header int, err error) {
	sample, _ := t.in.Peek(sampleSize)
	whole := len(sample) < sampleSize
	skip := t.dialect.Skip
	if line, _, _ := bytes.Cut(sample, []byte("\n")); separatorLine.Match(line) {
		skip = max(skip, 1)
		if t.dialect.Comma == 0 {
			t.dialect.Comma = separatorLine.FindSubmatch(line)[1][0]
		}
	}
	candidates := []byte{',', '\t', ';', '|'}
	if t.dialect.Comma != 0 {
		candidates = []byte{t.dialect.Comma}
	}
	var best layout
	for i, comma := range candidates {
		if l := layoutOf(sample, comma, whole, skip, t.dialect.Header); i == 0 || l.better(best) {
			best = l
		}
	}
	t.comma = best.comma
	if t.comma != ',' && t.dialect.Comma == 0 {
		t.note(delimiterFound.With(fmt.Sprintf("%q", string(t.comma))), "")
	}
	if best.titles > 0 {
		t.note(titleSkipped, "lines 1 to %d", best.header-1)
	}
	return best.header, nil
}

// separatorLine is the first line of tables that Excel writes or is to read.
var separatorLine = regexp.MustCompile(`(?i)^"?sep=([^"\s]|\t)"?\s*$`)

// layout is what a sample looks like with a separator.
type layout struct {
	comma  byte
	header int // number of its line
	titles int // rows before the header
	known  int // columns of the header that are among those looked for
	fields int // of the header
	even   int // rows with as many
}

// better reports whether a layout is likelier than another: more known columns, more even rows, more fields.
func (l layout) better(than layout) bool {
	if l.known != than.known {
		return l.known > than.known
	}
	if l.even != than.even {
		return l.even > than.even
	}
	return l.fields > than.fields
}

// layoutOf reads a sample with a separator. The header is the first of its rows with most of the columns wanted:
//
//	Sales of 2017,,
//	as of May,,
//	BLOCK,LOT,SALE PRICE
//
// is a title of two rows and a header, where BLOCK and SALE PRICE are wanted.
func layoutOf(sample []byte, comma byte, whole bool, skip int, wanted []string) layout {
	const mostRows, mostTitles = 200, 60
	t := &Table{in: bufio.NewReaderSize(bytes.NewReader(sample), len(sample)+1), comma: comma, next: 1}
	best := layout{comma: comma, header: skip + 1}
	var counts []int // of fields, of the rows so far
	at := 0          // index of the header among them
	for len(counts) < mostRows && t.Next() == nil {
		if !whole && t.next > 1 && t.in.Buffered() == 0 {
			break // the last row of a sample may be cut
		}
		if t.Line <= skip {
			continue
		}
		known := 0
		for _, name := range wanted {
			if slices.ContainsFunc(t.fields, func(f []byte) bool { return string(f) == name }) {
				known++
			}
		}
		if len(counts) == 0 || known > best.known && len(counts) <= mostTitles {
			at, best.header, best.known, best.titles, best.fields = len(counts), t.Line, known, len(counts), len(t.fields)
		}
		counts = append(counts, len(t.fields))
	}
	for _, n := range counts[min(at, len(counts)):] {
		if n == best.fields && n > 1 {
			best.even++
		}
	}
	return best
}
