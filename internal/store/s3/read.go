package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"quartier/internal/store"
)

// reader reads a range of an object. Where its answer is cut, or is silent for too long, it asks for the rest.
type reader struct {
	of      *bucket
	ctx     context.Context
	name    string
	etag    string // of the object of the first answer, so that no other one is gone on with
	at, end int64  // what is read next, and the end of the range
	body    io.ReadCloser
	cancel  context.CancelFunc // ends the request of body
	cuts    int                // since far
	far     int64
}

// enough is after how many bytes a cut is the first one again.
const enough = 1 << 20

// Open implements store.Store.
func (b *bucket) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := b.reader(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	return store.Verified(name, offset, length, r), nil
}

// reader opens length bytes of an object from an offset; -1: to its end.
func (b *bucket) reader(ctx context.Context, name string, offset, length int64) (*reader, error) {
	if err := store.CheckName(name); err != nil {
		return nil, err
	}
	r := &reader{of: b, ctx: ctx, name: name, at: offset, far: offset, end: -1}
	if length >= 0 {
		r.end = offset + length
	}
	var err error
	if length != 0 && offset >= 0 && length >= -1 {
		if err = r.ask(); err == nil {
			return r, nil
		}
		if minio.ToErrorResponse(errors.Unwrap(err)).StatusCode != http.StatusRequestedRangeNotSatisfiable {
			return nil, err
		}
	}
	o, err := b.Stat(ctx, name) // there is no range of no bytes
	if err == nil && (offset < 0 || offset > o.Bytes || length < -1) {
		err = fmt.Errorf("read %d bytes from %d of %s, which has %d", length, offset, name, o.Bytes)
	}
	if r.end = offset; err != nil {
		return nil, err
	}
	return r, nil
}

// ask asks for what is not read yet. The first answer says where the object ends.
func (r *reader) ask() error {
	var ranged minio.GetObjectOptions
	switch {
	case r.end >= 0:
		ranged.Set("Range", fmt.Sprintf("bytes=%d-%d", r.at, r.end-1))
	case r.at > 0:
		ranged.Set("Range", fmt.Sprintf("bytes=%d-", r.at))
	}
	if r.etag != "" {
		if err := ranged.SetMatchETag(r.etag); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	body, info, header, err := r.of.core.GetObject(ctx, r.of.at.Bucket, r.of.key(r.name), ranged)
	switch {
	case err != nil:
	case r.etag != "" && info.ETag != r.etag:
		err = errors.New("the object is another one by now")
	case r.at > 0 && header.Get("Content-Range") == "":
		err = errors.New("the store answers a range with the whole object")
	}
	if err != nil {
		cancel() // and with it the body, if there is one
		return r.of.explain("read", r.name, err)
	}
	if r.etag == "" {
		r.etag, r.end = info.ETag, r.at+info.Size
	}
	r.body, r.cancel = body, cancel
	return nil
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for r.at < r.end {
		if r.body == nil {
			if err := r.ask(); err != nil {
				return 0, err
			}
		}
		silent := time.AfterFunc(r.of.silence, r.cancel)
		n, err := r.body.Read(p[:min(int64(len(p)), r.end-r.at)])
		silent.Stop()
		if r.at += int64(n); r.at-r.far >= enough {
			r.cuts, r.far = 0, r.at
		}
		if err != nil {
			r.Close()
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
		if err == nil {
			continue
		}
		if r.cuts++; r.cuts == tries {
			return 0, fmt.Errorf("read %s in %s: cut %d times: %w", r.name, r.of, tries, err)
		}
		if err := wait(r.ctx, r.cuts); err != nil {
			return 0, err
		}
	}
	return 0, io.EOF
}

// Close implements io.Closer.
func (r *reader) Close() error {
	if r.body == nil {
		return nil
	}
	r.cancel()
	err := r.body.Close()
	r.body = nil
	return err
}
