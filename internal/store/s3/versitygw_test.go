package s3

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quartier/internal/store"
	"quartier/internal/store/storetest"
)

// serveVersity serves an empty bucket "releases" in a folder by the program versitygw.
func serveVersity(t *testing.T) (endpoint string) {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "releases"), 0o755); err != nil {
		t.Fatal(err)
	}
	gateway := exec.Command(program, "--port", address, "--access", "theKeyId", "--secret", "theSecret", "--quiet", "posix", root)
	gateway.Stderr = os.Stderr
	if err := gateway.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		gateway.Process.Kill()
		gateway.Wait()
	})
	for range 300 {
		if answer, err := http.Get("http://" + address); err == nil {
			answer.Body.Close()
			return "http://" + address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("versitygw does not answer")
	return ""
}

// TestVersity has the suite pass against another implementation of S3. make long runs it where the program is installed.
func TestVersity(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	storetest.Run(t, func(t *testing.T) (one, other store.Store) {
		endpoint := serveVersity(t)
		return openTest(t, endpoint, nil), openTest(t, endpoint, nil)
	})
}
