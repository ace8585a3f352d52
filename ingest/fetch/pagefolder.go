package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"quartier/internal/lockfile"
	"quartier/internal/wholefile"
)

// page is an answer of a Web API.
type page struct {
	Records []struct {
		Modified string `json:"ModificationTimestamp"`
	}
	Next   string
	body   []byte
	values []byte // the records as sent
}

// parsePage reads a page; the error of one that is none.
func parsePage(body []byte) (*page, error) {
	var outer struct {
		Next  string           `json:"@odata.nextLink"`
		Older string           `json:"odata.nextLink"`
		Value *json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(body, &outer); err != nil {
		return nil, fmt.Errorf("the page is not complete JSON: %w", err)
	}
	if outer.Value == nil {
		return nil, errors.New("the page has no records (value)")
	}
	p := &page{Next: outer.Next, body: body, values: *outer.Value}
	if p.Next == "" {
		p.Next = outer.Older
	}
	if err := json.Unmarshal(*outer.Value, &p.Records); err != nil {
		return nil, fmt.Errorf("the records of the page are no list of objects: %w", err)
	}
	return p, nil
}

// latest is the latest ModificationTimestamp of the records and of another, as written; "" if there is none.
func (p *page) latest(other string) string {
	for _, r := range p.Records {
		other = later(other, r.Modified)
	}
	return other
}

// later is the later of two times, as written.
func later(a, b string) string {
	if instant(b).After(instant(a)) {
		return b
	}
	return a
}

// instant reads a time; the zero time of other texts. One without an offset is UTC.
func instant(text string) time.Time {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// mostPageBytes bounds a page, which is kept in memory.
const mostPageBytes = 256 << 20

// readAll reads a body up to the limit, calling progress for each part.
func readAll(into io.Writer, body io.Reader, progress func()) error {
	buffer := make([]byte, 256<<10)
	for total := 0; ; {
		n, err := body.Read(buffer)
		progress()
		if total += n; total > mostPageBytes {
			return fmt.Errorf("%w: a page of more than %d bytes", ErrTooLarge, mostPageBytes)
		}
		if _, werr := into.Write(buffer[:n]); werr != nil {
			return werr
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// pageState says how far a query is, in a file beside the pages.
type pageState struct {
	URL    string `json:"url"`
	Next   string `json:"next,omitempty"`   // page with which an interrupted query goes on
	Latest string `json:"latest,omitempty"` // ModificationTimestamp up to which all records are there
	Seen   string `json:"seen,omitempty"`   // the latest one of the interrupted query
	Pages  int    `json:"pages"`            // number of the last page
}

// pageFolder is the folder of a query's pages, locked.
type pageFolder struct {
	path  string
	lock  *os.File
	state pageState
}

// stateName has no extension that readers of listings look for.
const stateName = ".fetch-state"

var pageName = regexp.MustCompile(`^page-(\d{8})\.json$`)

// openPages locks a folder and reads its state. Without a state, or with that of another query, everything is asked for
// again, and new pages follow those that are there.
func openPages(q Query) (*pageFolder, error) {
	if err := os.MkdirAll(q.Folder, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(q.Folder, ".fetch-lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lockfile.Try(lock); err != nil {
		lock.Close()
		if errors.Is(err, lockfile.ErrHeld) {
			return nil, ErrBusy
		}
		return nil, err
	}
	f := &pageFolder{path: q.Folder, lock: lock}
	data, err := os.ReadFile(filepath.Join(q.Folder, stateName))
	if err != nil || json.Unmarshal(data, &f.state) != nil || f.state.URL != q.URL {
		f.state = pageState{}
	}
	f.state.URL = q.URL
	entries, err := os.ReadDir(q.Folder)
	if err != nil {
		lockfile.Close(lock)
		return nil, err
	}
	for _, e := range entries {
		if m := pageName.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1]) // digits
			f.state.Pages = max(f.state.Pages, n)
		}
	}
	return f, nil
}

func (f *pageFolder) close() { lockfile.Close(f.lock) }

// add writes a page, if it has records, and then the state: a page that was written without its state is fetched once more.
func (f *pageFolder) add(p *page, next string) error {
	if len(p.Records) > 0 {
		f.state.Pages++
		if err := f.write(fmt.Sprintf("page-%08d.json", f.state.Pages), p.body); err != nil {
			return err
		}
	}
	f.state.Seen = p.latest(f.state.Seen)
	if f.state.Next = next; next == "" {
		f.state.Latest, f.state.Seen = later(f.state.Latest, f.state.Seen), ""
	}
	data, err := json.Marshal(f.state)
	if err != nil {
		return err
	}
	return f.write(stateName, data)
}

// write replaces a file at once.
func (f *pageFolder) write(name string, data []byte) error {
	return wholefile.Replace(filepath.Join(f.path, name), data, 0o644)
}
