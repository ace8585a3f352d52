package s3

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"quartier/internal/store"
)

// reader reads a range of an object. Where an answer is cut, as by silence, it asks for the rest.
type reader struct {
	of      *bucket
	ctx     context.Context
	name    string
	etag    string // of the object that was found, so that no other one is gone on with
	at, end int64  // what is read next, and the end of the range
	body    io.ReadCloser
	cuts    int // since far
	far     int64
}

// enough is after how many bytes a cut is the first one again.
const enough = 1 << 20

// Open implements store.Store.
func (b *bucket) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	o, info, err := b.stat(ctx, name)
	if err != nil {
		return nil, err
	}
	end, err := o.Range(offset, length)
	if err != nil {
		return nil, err
	}
	return store.Verified(name, offset, length, &reader{of: b, ctx: ctx, name: name, etag: info.ETag, at: offset, far: offset, end: end}), nil
}

// ask asks for what is not read yet.
func (r *reader) ask() error {
	var ranged minio.GetObjectOptions
	ranged.Set("Range", fmt.Sprintf("bytes=%d-%d", r.at, r.end-1))
	if err := ranged.SetMatchETag(r.etag); err != nil {
		return err
	}
	body, info, header, err := r.of.core.GetObject(r.ctx, r.of.at.Bucket, r.of.key(r.name), ranged)
	if err != nil {
		return r.of.explain("read", r.name, err)
	}
	r.body = body
	switch {
	case info.ETag != r.etag:
		err = errors.New("the object is another one by now")
	case r.at > 0 && header.Get("Content-Range") == "":
		err = errors.New("the store answers a range with the whole object")
	default:
		return nil
	}
	return r.of.explain("read", r.name, errors.Join(err, r.Close()))
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for r.at < r.end {
		if r.body == nil {
			if err := r.ask(); err != nil {
				return 0, err
			}
		}
		n, err := r.body.Read(p[:min(int64(len(p)), r.end-r.at)])
		if r.at += int64(n); r.at-r.far >= enough {
			r.cuts, r.far = 0, r.at
		}
		if err != nil {
			r.Close()
		}
		if n > 0 || err == nil {
			return n, nil
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
	err := r.body.Close()
	r.body = nil
	return err
}

// Read implements store.Store. The version is the ETag.
func (b *bucket) Read(ctx context.Context, name string) (value []byte, version string, err error) {
	if err := store.CheckName(name); err != nil {
		return nil, "", err
	}
	for try := 1; ; try++ {
		body, info, _, err := b.core.GetObject(ctx, b.at.Bucket, b.key(name), minio.GetObjectOptions{})
		if err != nil {
			return nil, "", b.explain("read", name, err)
		}
		value, err = io.ReadAll(io.LimitReader(body, store.MostPointer))
		if err = errors.Join(err, body.Close()); err == nil || try == tries {
			return value, info.ETag, b.explain("read", name, err)
		}
		if err := wait(ctx, try); err != nil {
			return nil, "", err
		}
	}
}
