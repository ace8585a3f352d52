package s3

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"

	"quartier/internal/store"
	"quartier/internal/store/storetest"
)

func init() {
	minio.DefaultRetryUnit, pause = time.Millisecond, time.Millisecond
}

// serveFake serves a bucket "releases" in memory.
func serveFake(t *testing.T) (endpoint string) {
	t.Helper()
	memory := s3mem.New()
	if err := memory.CreateBucket("releases"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(memory).Server())
	t.Cleanup(server.Close)
	return server.URL
}

func variables(endpoint string) func(string) string {
	return func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "theKeyId", "AWS_SECRET_ACCESS_KEY": "theSecret",
			"AWS_SESSION_TOKEN": ""}[name]
	}
}

// openTest opens a bucket with small parts.
func openTest(t *testing.T, endpoint string, through http.RoundTripper) *bucket {
	t.Helper()
	if through == nil {
		through = transport(silence)
	}
	b, err := open(store.Address{Bucket: "releases", Prefix: "a/b"}, variables(endpoint), through)
	if err != nil {
		t.Fatal(err)
	}
	b.part = 5 << 20
	return b
}

func TestBucket(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (one, other store.Store) {
		endpoint := serveFake(t)
		return openTest(t, endpoint, nil), openTest(t, endpoint, nil)
	})
}
