package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"quartier/internal/store"
)

const (
	mostParts  = 9000 // S3 has 10,000
	partsAtOne = 4    // that are sent at a time
)

// part is bytes of an object that are sent together.
type part struct {
	offset, bytes int64
	sha256        string
}

// Put implements store.Store. The bytes are read twice: they are compared with their digest before any is sent, and each request
// is signed with the digest that its bytes had then, which the store compares.
func (b *bucket) Put(ctx context.Context, o store.Object, from io.ReaderAt) error {
	if err := store.CheckObject(o); err != nil {
		return err
	}
	if o.Bytes > b.part {
		if _, err := b.Stat(ctx, o.Name); err == nil {
			return fmt.Errorf("%w: %s", store.ErrExists, o.Name)
		} else if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	parts, err := b.parts(ctx, o, from)
	if err != nil {
		return err
	}
	how := options("sha256", o.SHA256)
	if len(parts) == 1 {
		how.SetMatchETagExcept("*")
		_, err = again(ctx, func() (minio.UploadInfo, error) {
			return b.core.PutObject(ctx, b.at.Bucket, b.key(o.Name), io.NewSectionReader(from, 0, o.Bytes), o.Bytes, "", o.SHA256, how)
		})
	} else {
		err = b.putParts(ctx, o, from, parts, how)
	}
	if refused(err) {
		return fmt.Errorf("%w: %s", store.ErrExists, o.Name)
	}
	return b.explain("write", o.Name, err)
}

// options are those of an object with something that is said of it. The library is not to make digests of its own.
func options(key, value string) minio.PutObjectOptions {
	return minio.PutObjectOptions{UserMetadata: map[string]string{key: value}, DisableContentSha256: true}
}

// parts reads an object in its parts, at least one. ErrDigest.
func (b *bucket) parts(ctx context.Context, o store.Object, from io.ReaderAt) (list []part, err error) {
	size := max(b.part, (o.Bytes+mostParts-1)/mostParts)
	all, chunk := sha256.New(), make([]byte, 1<<20)
	for at := int64(0); at < o.Bytes || at == 0; at += size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, sum := part{offset: at, bytes: min(size, o.Bytes-at)}, sha256.New()
		to := io.MultiWriter(sum, all)
		if o.Bytes <= size { // there is one part
			to, all = sum, sum
		}
		n, err := io.CopyBuffer(to, struct{ io.Reader }{io.NewSectionReader(from, at, p.bytes)}, chunk)
		if err != nil {
			return nil, fmt.Errorf("read what is to be %s: %w", o.Name, err)
		}
		if n != p.bytes {
			return nil, fmt.Errorf("%w: %s has %d bytes of %d", store.ErrDigest, o.Name, at+n, o.Bytes)
		}
		p.sha256 = hex.EncodeToString(sum.Sum(nil))
		list = append(list, p)
	}
	if hex.EncodeToString(all.Sum(nil)) != o.SHA256 {
		return nil, fmt.Errorf("%w: %s", store.ErrDigest, o.Name)
	}
	return list, nil
}

// putParts sends an object of several parts.
func (b *bucket) putParts(ctx context.Context, o store.Object, from io.ReaderAt, parts []part, how minio.PutObjectOptions) (err error) {
	upload, err := b.core.NewMultipartUpload(ctx, b.at.Bucket, b.key(o.Name), how)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil { // of one that cannot be ended either, the rules of the bucket free the space
			b.core.AbortMultipartUpload(context.WithoutCancel(ctx), b.at.Bucket, b.key(o.Name), upload)
		}
	}()
	done := make([]minio.CompletePart, len(parts))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(partsAtOne)
	for i, p := range parts {
		group.Go(func() error {
			section := io.NewSectionReader(from, p.offset, p.bytes)
			sent, err := b.core.PutObjectPart(limited, b.at.Bucket, b.key(o.Name), upload, i+1, section, p.bytes,
				minio.PutObjectPartOptions{Sha256Hex: p.sha256, DisableContentSha256: true})
			done[i] = minio.CompletePart{PartNumber: i + 1, ETag: sent.ETag}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	how = minio.PutObjectOptions{}
	how.SetMatchETagExcept("*")
	_, err = again(ctx, func() (minio.UploadInfo, error) {
		return b.core.CompleteMultipartUpload(ctx, b.at.Bucket, b.key(o.Name), upload, done, how)
	})
	return err
}

// Swap implements store.Store. The object has who wrote it, so that a request that was tried again, because its answer was lost,
// is not taken for that of somebody else.
func (b *bucket) Swap(ctx context.Context, name, version string, value []byte) (string, error) {
	if err := store.CheckPointer(name, value); err != nil {
		return "", err
	}
	writer := rand.Text()
	how := options("writer", writer)
	if version == "" {
		how.SetMatchETagExcept("*")
	} else {
		how.SetMatchETag(version)
	}
	sent, err := again(ctx, func() (minio.UploadInfo, error) {
		return b.core.PutObject(ctx, b.at.Bucket, b.key(name), bytes.NewReader(value), int64(len(value)), "", store.Sum(value), how)
	})
	err = b.explain("write", name, err)
	if err == nil {
		return sent.ETag, nil
	}
	if refused(errors.Unwrap(err)) || errors.Is(err, store.ErrNotFound) { // of a pointer that is gone
		info, looked := b.core.StatObject(ctx, b.at.Bucket, b.key(name), minio.StatObjectOptions{})
		if looked == nil && info.UserMetadata["Writer"] == writer {
			return info.ETag, nil
		}
		return "", fmt.Errorf("%w: %s", store.ErrChanged, name)
	}
	return "", err
}
