package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/internal/arrowfile"
	"quartier/internal/lockfile"
)

// parts is the folder of the parts. Part n is block n of the input with what was added: a file in the format of the output,
// and beside it the summary of its rows. A part counts once its summary is there, which is written last.
type parts struct {
	dir  string
	lock *lockfile.Lock
	keep bool // after an error, to continue with

	mu   sync.Mutex
	last int // one more than the number of the last part
}

const (
	partsSuffix  = ".parts"
	identityFile = "run.json"
)

// identity is what parts are made of: those of another run are not continued.
type identity struct {
	Input   string   `json:"input"` // path, size and time of the last change
	Reading string   `json:"reading"`
	Release []string `json:"release"` // digests
	Client  string   `json:"client"`  // the customer with its agreement; "": the operator
	Columns []string `json:"columns"` // of the output, with their types
	Format  string   `json:"format"`
	Version string   `json:"version"` // of the program
}

// openParts opens the folder of the parts beside the output of a job.
func openParts(j *job) (*parts, error) {
	is, err := j.identity()
	if err != nil {
		return nil, err
	}
	return openPartsOf("enrich", j.Out, j.In != Standard, j.Resume, is)
}

// openPartsOf opens the folder of the parts of a command beside its output, and empties it unless the run, of an identity, continues.
func openPartsOf(command, output string, keep, resume bool, is []byte) (p *parts, err error) {
	p = &parts{dir: output + partsSuffix, keep: keep && output != Standard}
	if output == Standard {
		if p.dir, err = os.MkdirTemp("", "quartier-"+command+"-*"); err != nil {
			return nil, err
		}
	} else if err := os.Mkdir(p.dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if p.lock, err = lockfile.Acquire(p.dir, command); err != nil {
		return nil, err
	}
	if err := p.begin(is, resume); err != nil {
		return nil, errors.Join(err, p.lock.Release())
	}
	return p, nil
}

// begin compares the run with that whose parts are there.
func (p *parts) begin(is []byte, resume bool) error {
	was, err := os.ReadFile(p.path(identityFile))
	switch {
	case err == nil && bytes.Equal(was, is) && resume:
		return nil
	case err == nil && resume:
		return fmt.Errorf("%w: %s; run without --resume to begin again", ErrAnother, difference(was, is))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := p.empty(); err != nil {
		return err
	}
	return os.WriteFile(p.path(identityFile), is, 0o644)
}

// identity is that of the run as JSON.
func (j *job) identity() ([]byte, error) {
	is := identity{Columns: columnTypes(j.shape.schema), Format: string(j.OutFormat) + string(j.final), Version: j.Version}
	is.Input = j.gridName()
	if is.Input == "" && j.In != Standard {
		var err error
		if is.Input, err = fileIdentity(j.In); err != nil {
			return nil, err
		}
	}
	is.Reading = fmt.Sprintf("%s as %s %q %q %q in %q, limit %d, sample %v, blocks of %d rows", j.points, j.InFormat, j.Layer, j.Encoding,
		j.Decimal, j.crs, j.Limit, j.Sample, j.blockRows())
	is.Release, is.Client = j.enricher.Digests(), j.enricher.Client()
	return json.MarshalIndent(is, "", " ")
}

// columnTypes are the columns of an output with their types.
func columnTypes(schema *arrow.Schema) (columns []string) {
	for _, f := range schema.Fields() {
		columns = append(columns, f.Name+" "+f.Type.String())
	}
	return columns
}

// fileIdentity is the path of a file with its size and the time of its last change.
func fileIdentity(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %d bytes of %s", path, info.Size(), info.ModTime().UTC().Format("2006-01-02 15:04:05.000000000")), nil
}

// difference names what differs between two identities.
func difference(was, is []byte) string {
	var a, b map[string]any
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return identityFile + " is damaged"
	}
	var names []string
	for _, key := range []string{"input", "reading", "release", "client", "columns", "format", "version"} {
		if fmt.Sprint(a[key]) != fmt.Sprint(b[key]) {
			names = append(names, key)
		}
	}
	return "another " + strings.Join(names, ", ")
}

func (p *parts) path(name string) string { return filepath.Join(p.dir, name) }

// file is the path of part n, summaryOf that of its summary.
func (p *parts) file(n int) string      { return p.path(fmt.Sprintf("part-%06d", n)) }
func (p *parts) summaryOf(n int) string { return p.file(n) + ".rows.json" }

// has reports whether part n is there.
func (p *parts) has(n int) bool {
	p.mu.Lock()
	p.last = max(p.last, n+1)
	p.mu.Unlock()
	_, err := os.Stat(p.summaryOf(n))
	return err == nil
}

// done writes the summary of part n, whose file is there.
func (p *parts) done(n int, s *Summary) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	unfinished := p.summaryOf(n) + ".tmp"
	if err := os.WriteFile(unfinished, text, 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, p.summaryOf(n))
}

// files are the parts in their order.
func (p *parts) files() (paths []string) {
	for n := range p.last {
		paths = append(paths, p.file(n))
	}
	return paths
}

// summary adds up those of the parts.
func (p *parts) summary() (s Summary, err error) {
	for n := range p.last {
		text, err := os.ReadFile(p.summaryOf(n))
		if err != nil {
			return s, err
		}
		var of Summary
		if err := json.Unmarshal(text, &of); err != nil {
			return s, fmt.Errorf("%s: %w", p.summaryOf(n), err)
		}
		s.add(&of)
	}
	return s, nil
}

// join joins the parts to the output, which may be Standard.
func (p *parts) join(ctx context.Context, output string, standard io.Writer, schema *arrow.Schema, options arrowfile.Options) error {
	if output != Standard {
		return arrowfile.Join(ctx, output, schema, options, p.files())
	}
	path := p.path("joined")
	if err := arrowfile.Join(ctx, path, schema, options, p.files()); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(standard, file)
	return err
}

// left says after an error what can be done with the parts.
func (p *parts) left() string {
	if !p.keep {
		return ""
	}
	return fmt.Sprintf("; what is finished is in %s, --resume continues with it", p.dir)
}

// stopped is the error of a run that ended: one that can be continued is ErrStopped, too.
func (p *parts) stopped(err error) error {
	if !p.keep {
		return err
	}
	return stopped{err, p.left()}
}

// stopped is an error after which the parts are kept.
type stopped struct {
	error
	left string
}

func (s stopped) Error() string   { return s.error.Error() + s.left }
func (s stopped) Unwrap() []error { return []error{s.error, ErrStopped} }

// empty removes what a run leaves in the folder, and nothing else.
func (p *parts) empty() error {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, "part-") && name != identityFile && !strings.HasPrefix(name, "joined") {
			continue
		}
		if err := os.Remove(p.path(name)); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the folder of a run that is complete.
func (p *parts) remove() error {
	p.keep = false
	return nil
}

// close ends the work in the folder, and removes it unless the parts are kept.
func (p *parts) close() error {
	if p.keep {
		return p.lock.Release()
	}
	err := p.empty()
	if err == nil {
		err = os.Remove(p.path(lockfile.Name))
	}
	err = errors.Join(err, p.lock.Release())
	if err == nil {
		err = os.Remove(p.dir)
	}
	return err
}
