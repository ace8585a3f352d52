// Package s3 is a store in a bucket that speaks S3. Importing it lets store.Open open addresses s3://BUCKET/PREFIX.
//
// Endpoint, region and credentials are the variables AWS_ENDPOINT_URL (or AWS_ENDPOINT_URL_S3), AWS_REGION, AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. Objects are put by If-None-Match, pointers by If-Match with their ETag. Requests
// that fail for a while are tried again, 8 times within some seconds; a body that is cut or stalls goes on where it ended.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"quartier/internal/store"
)

func init() {
	store.OpenBuckets(func(_ context.Context, a store.Address) (store.Store, error) {
		return open(a, os.Getenv, transport(silence))
	})
}

const (
	tries   = 8                // of a request
	silence = 30 * time.Second // after which a connection is given up on which no byte comes or goes
	partOf  = 64 << 20         // bytes; larger objects are sent in parts, of which there are at most mostParts
)

// bucket is what is below a prefix of a bucket.
type bucket struct {
	core *minio.Core
	at   store.Address
	part int64 // bytes
}

// transport gives connections up that are silent for a time, whatever they are about: an answer, its body, or what is sent.
func transport(silence time.Duration) http.RoundTripper {
	dialer := net.Dialer{Timeout: silence}
	return &http.Transport{ // without HTTP/2: no request is silent beside others of its connection
		Proxy: http.ProxyFromEnvironment, DisableCompression: true, MaxIdleConnsPerHost: 16, IdleConnTimeout: silence / 2,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			return conn{c, silence}, err
		},
	}
}

// conn is a connection that ends when it is silent.
type conn struct {
	net.Conn
	silence time.Duration
}

func (c conn) Read(p []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.silence)) // of the other direction, too: an answer may be late while bytes are sent
	return c.Conn.Read(p)
}

func (c conn) Write(p []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.silence))
	return c.Conn.Write(p)
}

// open makes a bucket of its address and variables. No error has what a variable says.
func open(a store.Address, variable func(string) string, through http.RoundTripper) (*bucket, error) {
	endpoint := cmp.Or(variable("AWS_ENDPOINT_URL_S3"), variable("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	at, err := url.Parse(endpoint)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil || strings.Trim(at.Path, "/") != "" {
		return nil, fmt.Errorf("%w: AWS_ENDPOINT_URL is not http(s)://HOST[:PORT]", store.ErrAddress)
	}
	key, secret := variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")
	if key == "" || secret == "" {
		return nil, fmt.Errorf("%w: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set", store.ErrAddress)
	}
	core, err := minio.NewCore(at.Host, &minio.Options{
		Creds:      credentials.NewStaticV4(key, secret, variable("AWS_SESSION_TOKEN")),
		Secure:     at.Scheme == "https",
		Region:     cmp.Or(variable("AWS_REGION"), variable("AWS_DEFAULT_REGION"), "us-east-1"),
		Transport:  through,
		MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: AWS_ENDPOINT_URL or AWS_REGION is not valid", store.ErrAddress)
	}
	return &bucket{core, a, partOf}, nil
}

// String is the address.
func (b *bucket) String() string { return b.at.String() }

// key is the name of an object in the bucket.
func (b *bucket) key(name string) string {
	if b.at.Prefix == "" {
		return name
	}
	return b.at.Prefix + "/" + name
}

// explain makes an error of the library one of a store.
func (b *bucket) explain(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return fmt.Errorf("%w: %s", store.ErrNotFound, name)
	}
	return fmt.Errorf("%s %s in %s: %w", doing, name, b, err)
}

// refused reports whether the condition of a request was not met.
func refused(err error) bool {
	return minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed
}

// again sends what is conditional until nothing else is in its way: 409 of AWS says that something is.
func again(ctx context.Context, send func() (minio.UploadInfo, error)) (sent minio.UploadInfo, err error) {
	for i := 1; ; i++ {
		sent, err = send()
		if minio.ToErrorResponse(err).StatusCode != http.StatusConflict || i == tries {
			return sent, err
		}
		if err := wait(ctx, i); err != nil {
			return sent, err
		}
	}
}

// pause is how long the first wait is.
var pause = 100 * time.Millisecond

// wait waits before a try, longer before each.
func wait(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(pause<<(try-1), 2*time.Second)):
		return nil
	}
}

// stat describes an object in words of the library, too.
func (b *bucket) stat(ctx context.Context, name string) (store.Object, minio.ObjectInfo, error) {
	if err := store.CheckName(name); err != nil {
		return store.Object{}, minio.ObjectInfo{}, err
	}
	info, err := b.core.StatObject(ctx, b.at.Bucket, b.key(name), minio.StatObjectOptions{})
	if err != nil {
		return store.Object{}, info, b.explain("look for", name, err)
	}
	return store.Object{Name: name, Bytes: info.Size, SHA256: cmp.Or(store.DigestOf(name), info.UserMetadata["Sha256"])}, info, nil
}

// Stat implements store.Store.
func (b *bucket) Stat(ctx context.Context, name string) (store.Object, error) {
	o, _, err := b.stat(ctx, name)
	return o, err
}

// List implements store.Store.
func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		if err := store.CheckPrefix(prefix); err != nil {
			yield(store.Object{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for info := range b.core.Client.ListObjects(ctx, b.at.Bucket, minio.ListObjectsOptions{Prefix: b.key(prefix), Recursive: true}) {
			name := strings.TrimPrefix(info.Key, b.key(""))
			if info.Err == nil && store.CheckName(name) != nil { // of somebody else
				continue
			}
			object := store.Object{Name: name, Bytes: info.Size, SHA256: store.DigestOf(name)}
			if err := b.explain("list", prefix, info.Err); !yield(object, err) || err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(store.Object{}, err)
		}
	}
}

// Delete implements store.Store.
func (b *bucket) Delete(ctx context.Context, name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	err := b.explain("delete", name, b.core.RemoveObject(ctx, b.at.Bucket, b.key(name), minio.RemoveObjectOptions{}))
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
