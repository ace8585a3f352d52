package listings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// sink is the source.Sink of an intake, file by file.
type sink struct {
	ctx     context.Context
	records *duck.Writer[staged.ListingRecord]
	changes *duck.Writer[staged.ChangeRecord]
	content *contentHash
	failed  error // the first error that ends the intake

	file         *file
	read, staged int64 // rows of the file
	issues       map[reason.Reason]*issue
}

type issue struct {
	rows    int64
	example string
}

func newSink(ctx context.Context, db *duck.DB) (*sink, error) {
	records, err := duck.NewWriter[staged.ListingRecord](ctx, db, "listing_record")
	if err != nil {
		return nil, err
	}
	changes, err := duck.NewWriter[staged.ChangeRecord](ctx, db, "change_record")
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	content, err := newContentHash()
	if err != nil {
		return nil, errors.Join(err, records.Close(), changes.Close())
	}
	return &sink{ctx: ctx, records: records, changes: changes, content: content}, nil
}

func (s *sink) close() error { return errors.Join(s.records.Close(), s.changes.Close()) }

// begin begins a file.
func (s *sink) begin(f *file) {
	s.file, s.read, s.staged, s.issues = f, 0, 0, map[reason.Reason]*issue{}
}

// Row stages a listing or a change of one. Those without a system have that of their source.
func (s *sink) Row(row source.Row) error {
	if s.failed == nil {
		s.failed = s.ctx.Err()
	}
	if s.failed != nil {
		return s.failed
	}
	switch v := row.(type) {
	case staged.Listing:
		s.failed = s.listing(v)
	case staged.ListingChange:
		s.failed = s.change(v)
	default:
		s.failed = fmt.Errorf("rows of type %T are not staged", row)
	}
	return s.failed
}

func (s *sink) listing(l staged.Listing) error {
	l.SourceID, l.File = s.file.row.SourceID, s.file.row.Path
	if l.System == "" {
		l.System = l.SourceID
	}
	s.staged++
	return s.records.Row(staged.ListingRecord{Listing: l, FileID: s.file.row.FileID, KeyHash: keyHash(l.System, l.Key), Counts: true,
		Content: s.content.of(&l)})
}

func (s *sink) change(c staged.ListingChange) error {
	c.SourceID, c.File = s.file.row.SourceID, s.file.row.Path
	if c.System == "" {
		c.System = c.SourceID
	}
	s.staged++
	return s.changes.Row(staged.ChangeRecord{ListingChange: c, FileID: s.file.row.FileID, KeyHash: keyHash(c.System, c.Key), Counts: true})
}

// keyHash is a number by which records of a key are found.
func keyHash(system, key string) int64 {
	h := fnv.New64a()
	h.Write([]byte(system))
	h.Write([]byte{0})
	h.Write([]byte(key))
	return int64(h.Sum64())
}

// Part begins nothing: files are the parts.
func (s *sink) Part(string) {}

// Read counts rows of the file.
func (s *sink) Read(n int) { s.read += int64(n) }

// Issue counts a row by reason and keeps the first example.
func (s *sink) Issue(why reason.Reason, where string) {
	why.Detail = printable(why.Detail)
	known := s.issues[why]
	if known == nil && len(s.issues) >= mostDetails && why.Detail != "" { // a damaged file has as many details as rows
		why.Detail = ""
		known = s.issues[why]
	}
	if known == nil {
		known = &issue{example: printable(where)}
		s.issues[why] = known
	}
	known.rows++
}

// mostDetails bounds the reasons with details of a file.
const mostDetails = 1000

// printable is a text on one line of at most 300 characters.
func printable(text string) string {
	const longest = 300
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest]) + "…"
	}
	return text
}

// rows are the issues of the file, sorted.
func (s *sink) rows() []staged.ListingIssue {
	var list []staged.ListingIssue
	for why, i := range s.issues {
		list = append(list, staged.ListingIssue{
			FileID: s.file.row.FileID, Severity: string(why.Severity), Code: why.Code, Detail: why.Detail, Description: why.Description,
			Rows: i.rows, Example: i.example,
		})
	}
	slices.SortFunc(list, func(a, b staged.ListingIssue) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return list
}

// Staged is what a source left in a new database, for tests of its kind.
type Staged struct {
	DB           *duck.DB
	Read, Staged int64
	Issues       []staged.ListingIssue
}

// StageFile stages the rows that read passes to its sink, those of the only file of a new database. The error is that of
// read, or of the database; ctx ends the rows alone.
func StageFile(ctx context.Context, database string, of staged.ListingFile, read func(source.Sink) error) (r Staged, err error) {
	lasting := context.WithoutCancel(ctx)
	if r.DB, err = createStore(lasting, database); err != nil {
		return r, err
	}
	if err := duck.Write(lasting, r.DB, "listing_file", slices.Values([]staged.ListingFile{of})); err != nil {
		return r, err
	}
	s, err := newSink(lasting, r.DB)
	if err != nil {
		return r, err
	}
	s.ctx = ctx
	s.begin(&file{row: of})
	err = cmp.Or(read(s), s.failed)
	if cerr := s.close(); err == nil {
		err = cerr
	}
	r.Read, r.Staged, r.Issues = s.read, s.staged, s.rows()
	return r, err
}
