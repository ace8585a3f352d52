package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quartier/ingest/fetch/overture"
	"quartier/ingest/source"
	"quartier/internal/arrowfile"
	"quartier/internal/lockfile"
	"quartier/internal/wholefile"
)

// ErrOvertureGone is the error of a release of Overture that was removed.
var ErrOvertureGone = overture.ErrGone

// ErrNothing is the error of a box in which there is nothing of what was asked for.
var ErrNothing = errors.New("nothing of it is in the box")

// Limits of what is kept in memory.
const (
	tailLength = 256 << 10 // of a file, in which most descriptions are
	mostFooter = 32 << 20
	mostGroup  = 1 << 30
)

// boxed is the fetching of an address of Overture: the row groups in which a row meets a box, one after another, into a folder
// beside the destination. A call after an interruption continues with those that lack.
type boxed struct {
	fetcher
	query    overture.Query
	release  *overture.Release
	folder   string
	names    []string // files of chosen row groups
	sources  []chosen
	progress Progress
	read     int64 // bytes that were received
	total    int64 // that there will be at most, -1: not known
}

// chosen is a row group whose bytes are in the folder.
type chosen struct {
	file  *arrowfile.Boxed
	group int
}

// overture fetches what an address of Overture asks for: a Parquet file with the columns of Overture's and all rows of the chosen
// row groups, unchanged, so also rows outside of the box. The same release and box give the same bytes.
func (f fetcher) overture(ctx context.Context, r Request, progress Progress) (Got, error) {
	q, err := overture.Parse(r.URL)
	if err != nil {
		return Got{}, err
	}
	b := &boxed{fetcher: f, query: q, folder: r.Dest + ".groups", progress: progress}
	lock, err := lockFolder(b.folder)
	if err != nil {
		return Got{}, err
	}
	defer lockfile.Close(lock)
	if err := b.fetch(ctx); err != nil {
		return Got{}, err
	}
	return b.publish(ctx, r)
}

// lockFolder creates and locks a folder.
func lockFolder(path string) (*os.File, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.Open(path)
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
	return lock, nil
}

// fetch brings the row groups of all files into the folder.
func (b *boxed) fetch(ctx context.Context) (err error) {
	get := func(ctx context.Context, address string) ([]byte, error) {
		text, err := b.document(ctx, address)
		b.got(len(text))
		return text, err
	}
	b.total = -1
	if b.release, err = overture.Find(ctx, get, overture.Catalog, b.query); err != nil {
		return err
	}
	for _, file := range b.release.Files {
		err := b.fetchFile(ctx, file)
		if errors.Is(err, errMissing) {
			return b.release.Gone(err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", redacted(file.URL), err)
		}
	}
	b.total = b.read
	b.got(0)
	if len(b.names) == 0 {
		return fmt.Errorf("%w: release %s, %d files", ErrNothing, b.release.Name, len(b.release.Files))
	}
	return nil
}

// got counts bytes that were received.
func (b *boxed) got(n int) {
	b.read += int64(n)
	b.progress(b.read, b.total)
}

// fetchFile brings the row groups of a file.
func (b *boxed) fetchFile(ctx context.Context, file overture.File) error {
	r := &ranged{fetcher: b.fetcher, url: file.URL, size: -1, read: b.got}
	described, err := b.describe(ctx, r)
	if err != nil {
		return err
	}
	var groups []int
	b.total = b.read
	for n, span := range described.Groups() {
		if described.MayMeet(n, b.query.Box) {
			if span.Len() > mostGroup {
				return fmt.Errorf("%w: row group %d has %d bytes, at most %d", ErrTooLarge, n, span.Len(), mostGroup)
			}
			groups = append(groups, n)
			b.total += span.Len()
		}
	}
	for _, n := range groups {
		span := described.Groups()[n]
		version := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", r.url, r.etag, r.size))
		name := filepath.Join(b.folder, fmt.Sprintf("%x-%d-%d", version[:8], span.Begin, span.End))
		info, err := os.Stat(name)
		if err == nil && (info.Size() == 0 || info.Size() == span.Len()) {
			b.total -= span.Len()
		} else if info, err = b.fetchGroup(ctx, r, described, n, name); err != nil {
			return fmt.Errorf("row group %d: %w", n, err)
		}
		if info.Size() > 0 {
			b.names, b.sources = append(b.names, name), append(b.sources, chosen{described, n})
		}
	}
	return nil
}

// describe reads the description of a file.
func (b *boxed) describe(ctx context.Context, r *ranged) (*arrowfile.Boxed, error) {
	tail, err := r.tail(ctx, tailLength)
	if err != nil {
		return nil, err
	}
	footer, err := arrowfile.FooterSpan(tail, r.size)
	if err != nil {
		return nil, err
	}
	if footer.Len() > mostFooter {
		return nil, fmt.Errorf("%w: its description has %d bytes, at most %d", ErrTooLarge, footer.Len(), mostFooter)
	}
	at := r.size - int64(len(tail))
	if footer.Begin < at {
		var before bytes.Buffer
		if err := r.copy(ctx, footer.Begin, at, &before); err != nil {
			return nil, err
		}
		tail, at = append(before.Bytes(), tail...), footer.Begin
	}
	return arrowfile.ReadBoxed(segment{at, tail}, r.size)
}

// fetchGroup writes a row group to a file, which is empty if no row of it meets the box, as its covering shows, which is read
// first.
func (b *boxed) fetchGroup(ctx context.Context, r *ranged, of *arrowfile.Boxed, n int, name string) (os.FileInfo, error) {
	span, covering := of.Groups()[n], of.CoveringSpan(n)
	var sides bytes.Buffer
	if err := r.copy(ctx, covering.Begin, covering.End, &sides); err != nil {
		return nil, err
	}
	meets, err := of.Meets(n, segment{covering.Begin, sides.Bytes()}, b.query.Box)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp(b.folder, "unfinished-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(out.Name()) // it has another name, or is of no use
	if meets {
		err = r.copy(ctx, span.Begin, covering.Begin, out)
		if err == nil {
			_, err = out.Write(sides.Bytes())
		}
		if err == nil {
			err = r.copy(ctx, covering.End, span.End, out)
		}
	} else {
		b.total -= span.Len() - covering.Len()
		b.got(0)
	}
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return nil, err
	}
	if err := os.Rename(out.Name(), name); err != nil {
		return nil, err
	}
	return os.Stat(name)
}

// publish joins the row groups to a file, compares its digest and gives it its name.
func (b *boxed) publish(ctx context.Context, r Request) (got Got, err error) {
	joined := filepath.Join(b.folder, "joined")
	if err := b.join(joined); err != nil {
		return got, err
	}
	digest, size, err := source.DigestFile(ctx, joined)
	if err != nil {
		return got, err
	}
	got.SHA256, got.Bytes, got.path = digest, size, r.Dest
	if r.SHA256 != "" && digest != r.SHA256 {
		return got, fmt.Errorf("%w; it is of release %s", &Changed{Was: r.pinned(), Is: got.Version}, b.release.Name)
	}
	if err := checkSize(r, size); err != nil {
		return got, err
	}
	if r.place != nil {
		got.path = r.place(nil, got)
	}
	if err := os.Rename(joined, got.path); err != nil {
		return got, err
	}
	return got, errors.Join(wholefile.Sync(filepath.Dir(got.path)), os.RemoveAll(b.folder))
}

// join writes a Parquet file of the row groups, of which one at a time is in memory.
func (b *boxed) join(path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	w := arrowfile.NewRowGroupWriter(out)
	for i, name := range b.names {
		if err = b.add(w, b.sources[i], name); err != nil {
			break
		}
	}
	if err == nil {
		err = w.ForgetExtents()
	}
	if err == nil {
		err = w.Finish()
	}
	return errors.Join(err, out.Sync(), out.Close())
}

func (b *boxed) add(w *arrowfile.RowGroupWriter, of chosen, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	group, err := of.file.RowGroup(of.group, data)
	if err != nil {
		return err
	}
	return w.Add(group)
}

// segment is some bytes of a file, where they are in it.
type segment struct {
	at   int64
	data []byte
}

// ReadAt implements io.ReaderAt. Bytes that are not there are an error.
func (s segment) ReadAt(p []byte, at int64) (int, error) {
	if at < s.at || at > s.at+int64(len(s.data)) {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, s.data[at-s.at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
