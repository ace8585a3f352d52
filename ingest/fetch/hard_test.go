package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
)

var (
	kills     = flag.Int("kills", 20, "fetches that TestKilledFetch kills")
	killSeed  = flag.Int64("killseed", 1, "seed of the moments at which fetches are killed")
	rateBytes = flag.Int64("ratebytes", 0, "bytes of the file of TestRate; 0: it is skipped")
)

// TestMain fetches a file in place of running tests, for a test that kills it.
func TestMain(m *testing.M) {
	if address := os.Getenv("FETCH_TEST_URL"); address != "" {
		s, err := Open(Options{Cache: os.Getenv("FETCH_TEST_CACHE")})
		if err == nil {
			_, err = s.Get(context.Background(), File{ID: "src-1", URL: address, Name: cmp.Or(os.Getenv("FETCH_TEST_NAME"),
				"tl_2025_10_place.zip")}, nil)
		}
		state, _ := os.ReadFile("/proc/self/status")
		fmt.Printf("%s", state)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKilledFetch kills fetches at random moments: then there is the right file or none of its name, and the next fetch continues.
func TestKilledFetch(t *testing.T) {
	body := archive(t, "tl_2025_10_place.shp", bytes.Repeat(content(1), 10))
	resumed := 0
	server := mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			resumed++
		}
		at(body, january, `"v1"`)(slow{w}, r)
	}))
	cache, random := t.TempDir(), rand.New(rand.NewSource(*killSeed))
	right := filepath.Join(cache, digest(body)[:16]+"-tl_2025_10_place.zip")
	for n := range *kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FETCH_TEST_URL="+server+"/x.zip", "FETCH_TEST_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Intn(250)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		for _, path := range files(t, cache) {
			if name := filepath.Base(path); !strings.HasPrefix(name, "new-") && (path != right || !bytes.Equal(read(t, path), body)) {
				t.Fatalf("kill %d leaves %s", n, path)
			}
		}
		if _, err := os.Stat(right); err == nil && n%3 == 0 {
			os.Remove(right)
		}
	}
	s, _ := openTest(t, Options{Cache: cache})
	got, err := s.Get(t.Context(), File{ID: "src-1", URL: server + "/x.zip", Name: "tl_2025_10_place.zip"}, nil)
	if err != nil || got.Path != right || !bytes.Equal(read(t, right), body) || len(files(t, cache)) != 1 {
		t.Errorf("got %+v, %v; %v", got, err, files(t, cache))
	}
	t.Logf("%d of %d fetches went on with what was there", resumed, *kills+1)
	if resumed == 0 {
		t.Error("none went on with what was there")
	}
}

// slow writes about 15 MB a second.
type slow struct{ http.ResponseWriter }

func (s slow) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		var m int
		m, err = s.ResponseWriter.Write(b[:min(len(b), 32<<10)])
		s.ResponseWriter.(http.Flusher).Flush()
		n, b = n+m, b[m:]
		time.Sleep(2 * time.Millisecond)
	}
	return n, err
}

// ReadFrom hides that of the response.
func (s slow) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{s}, r)
}

func TestFullDisk(t *testing.T) {
	disk, resize := testenv.SmallDisk(t, "100k")
	body := place(t, 1)
	p := &publisher{body: body}
	s, _ := openTest(t, Options{Cache: disk, Mirror: mirrorOf(t, p)})
	_, err := s.Get(t.Context(), fileOf(tiger), nil)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), disk) || !strings.Contains(err.Error(), "tl_2025_10_place.zip") ||
		!strings.Contains(err.Error(), "free some space") {
		t.Fatalf("error %v", err)
	}
	resize("1m")
	got, err := s.Get(t.Context(), fileOf(tiger), nil)
	if err != nil || !bytes.Equal(read(t, got.Path), body) || !strings.HasPrefix(p.ranges[len(p.ranges)-1], "bytes=") {
		t.Errorf("got %+v, %v after %q", got, err, p.ranges)
	}
}

// bigFile writes a file of some bytes.
func bigFile(t *testing.T, path string, size int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := content(9)
	for written := int64(0); written < size && err == nil; written += int64(len(block)) {
		_, err = file.Write(block)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// mostMemory is what a process that fetches may hold at any time.
const mostMemory = 50 << 20

// What a process holds does not grow with its files.
func TestMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.bin")
	bigFile(t, path, 200e6)
	server := mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) }))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FETCH_TEST_URL="+server+"/x.bin", "FETCH_TEST_CACHE="+t.TempDir(), "FETCH_TEST_NAME=x.bin")
	out, err := cmd.CombinedOutput()
	_, rest, _ := strings.Cut(string(out), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kilobytes, bad := strconv.Atoi(number)
	if err != nil || bad != nil {
		t.Fatalf("%v %v %s", err, bad, out)
	}
	t.Logf("%d kB", kilobytes)
	if kilobytes<<10 > mostMemory {
		t.Errorf("it held %d kB", kilobytes)
	}
}

// TestRate compares the fetch of a large file from a mirror on loopback with writing one of that size: go test -run TestRate
// -ratebytes 2000000000.
func TestRate(t *testing.T) {
	if *rateBytes == 0 {
		t.Skip("no -ratebytes")
	}
	testenv.SkipIfShort(t)
	folder := t.TempDir()
	source := filepath.Join(folder, "x.bin")
	bigFile(t, source, *rateBytes)
	begun := time.Now()
	if out, err := exec.Command("dd", "if="+source, "of="+source+".copy", "bs=1M", "conv=fsync").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	disk := time.Since(begun)
	os.Remove(source + ".copy")
	mirror := mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, source) }))
	s, _ := openTest(t, Options{Mirror: mirror, Cache: filepath.Join(folder, "cache")})
	begun = time.Now()
	got, err := s.Get(t.Context(), fileOf("https://h.example/x.bin"), nil)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	rate := func(d time.Duration) string {
		return strconv.FormatFloat(float64(got.Bytes)/1e6/d.Seconds(), 'f', 0, 64) + " MB/s"
	}
	t.Logf("%d bytes: copied and synced at %s, fetched at %s", got.Bytes, rate(disk), rate(took))
}
