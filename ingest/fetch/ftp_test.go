package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// ftpServer has one file at every path.
type ftpServer struct {
	address string
	change  func(*ftpServer) // at each RETR, of which what is sent stays

	mu       sync.Mutex
	body     []byte
	date     string // of MDTM; "": not known
	cuts     []int  // bytes after which each RETR is cut
	commands []string
	without  string // commands that it does not know
	says     map[string]string
}

func newFTP(t *testing.T, body []byte) *ftpServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &ftpServer{address: listener.Addr().String(), body: body, date: "20260102030405"}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

func (s *ftpServer) serve(conn net.Conn) {
	defer conn.Close()
	say := func(format string, args ...any) { fmt.Fprintf(conn, format+"\r\n", args...) }
	say("220-Welcome\r\n220 to the test")
	var data net.Listener
	offset := 0
	for in := bufio.NewScanner(conn); in.Scan(); {
		command, rest, _ := strings.Cut(in.Text(), " ")
		s.mu.Lock()
		s.commands = append(s.commands, in.Text())
		body, date, answer := s.body, s.date, s.says[command]
		s.mu.Unlock()
		switch {
		case answer != "":
			say("%s", answer)
			continue
		case strings.Contains(s.without, command):
			say("502 not known")
			continue
		}
		switch command {
		case "USER":
			say("331 anyone")
		case "PASS":
			say("230 come in")
		case "TYPE":
			say("200 as it is")
		case "SIZE":
			say("213 %d", len(body))
		case "MDTM":
			say("213 %s", date)
		case "EPSV", "PASV":
			data, _ = net.Listen("tcp", "127.0.0.1:0")
			defer data.Close()
			port := data.Addr().(*net.TCPAddr).Port
			if command == "EPSV" {
				say("229 (|||%d|)", port)
			} else {
				say("227 (10,0,0,1,%d,%d)", port>>8, port&0xff) // another address, to which nobody connects
			}
		case "REST":
			offset, _ = strconv.Atoi(rest)
			say("350 from there")
		case "RETR":
			to, err := data.Accept()
			if err != nil {
				return
			}
			say("150 here it comes")
			s.mu.Lock()
			cut := -1
			if len(s.cuts) > 0 {
				cut, s.cuts = s.cuts[0], s.cuts[1:]
			}
			s.mu.Unlock()
			if s.change != nil { // before the client knows that the connection ended
				s.change(s)
			}
			if cut >= 0 {
				to.Write(body[offset:min(offset+cut, len(body))])
				to.Close()
				say("426 closed")
			} else {
				to.Write(body[offset:])
				to.Close()
				say("226 done")
			}
			offset = 0
		}
	}
}

func (s *ftpServer) asked(command string) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.commands {
		if strings.HasPrefix(c, command) {
			list = append(list, c)
		}
	}
	return list
}

// byFTP fetches a file that a server refuses by http and another one has by ftp.
func byFTP(t *testing.T, s *ftpServer, refuses http.HandlerFunc) (Taken, *Session, error) {
	t.Helper()
	address := mirrorOf(t, refuses) + "/geo/tiger/TIGER2025/PLACE/tl_2025_10_place.zip"
	session, _ := openTest(t, Options{})
	session.fallbacks = []fallback{{host: strings.Split(address, "/")[2], under: "/geo/", ftp: s.address}}
	got, err := session.Get(t.Context(), fileOf(address), nil)
	return got, session, err
}

func TestFTPWhereHTTPRefuses(t *testing.T) {
	body := place(t, 1)
	for name, tt := range map[string]struct {
		change func(*ftpServer)
		rest   string // commands with which it is continued
		date   string
	}{
		"at once":                  {func(*ftpServer) {}, "[]", "2026-01-02T03:04:05Z"},
		"continued":                {func(s *ftpServer) { s.cuts = []int{1000, 5000} }, "[REST 1000 REST 6000]", "2026-01-02T03:04:05Z"},
		"without EPSV":             {func(s *ftpServer) { s.without = "EPSV" }, "[]", "2026-01-02T03:04:05Z"},
		"without SIZE and MDTM":    {func(s *ftpServer) { s.without = "SIZE MDTM" }, "[]", ""},
		"without REST":             {func(s *ftpServer) { s.without, s.cuts = "REST", []int{1000} }, "[REST 1000]", "2026-01-02T03:04:05Z"},
		"without a date to resume": {func(s *ftpServer) { s.without, s.cuts = "MDTM", []int{1000} }, "[]", ""},
		"busy at first": {func(s *ftpServer) {
			s.says = map[string]string{"RETR": "450 busy"}
			time.AfterFunc(20*time.Millisecond, func() {
				s.mu.Lock()
				s.says = nil
				s.mu.Unlock()
			})
		}, "[]", "2026-01-02T03:04:05Z"},
		"changed meanwhile": {func(s *ftpServer) {
			s.body, s.cuts = place(t, 2), []int{1000}
			s.change = func(s *ftpServer) {
				s.mu.Lock()
				s.body, s.date = body, "20260304050607"
				s.mu.Unlock()
			}
		}, "[]", "2026-03-04T05:06:07Z"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFTP(t, body)
			tt.change(s)
			refuses := status(http.StatusForbidden)
			address := mirrorOf(t, refuses) + "/geo/tl_2025_10_place.zip"
			session, _ := openTest(t, Options{})
			session.fallbacks = []fallback{{host: strings.Split(address, "/")[2], under: "/geo/", ftp: s.address}}
			if name == "busy at first" {
				session.sleep, session.pause = sleep, func(int) time.Duration { return 10 * time.Millisecond }
			}
			got, err := session.Get(t.Context(), fileOf(address), nil)
			if err != nil || got.From != FromFTP || got.Date != tt.date || !bytes.Equal(read(t, got.Path), body) {
				t.Fatalf("got %+v, %v", got, err)
			}
			if rest := fmt.Sprint(s.asked("REST")); rest != tt.rest {
				t.Errorf("continued by %s, want %s", rest, tt.rest)
			}
			if left := files(t, session.options.Cache); len(left) != 1 {
				t.Errorf("%v is there", left)
			}
		})
	}
}

func TestFTPThatFails(t *testing.T) {
	for name, tt := range map[string]struct {
		body []byte
		says map[string]string
		want string
	}{
		"no such file":  {nil, map[string]string{"RETR": "550 not here"}, "no such file: the ftp server says 550"},
		"no one":        {nil, map[string]string{"USER": "530 go away"}, "the ftp server says"},
		"a page":        {[]byte("<html><title>Sorry</title>"), nil, `a web page in place of a zip archive "Sorry"`},
		"cut for ever":  {place(t, 1)[:9000], map[string]string{"SIZE": "213 300154"}, "failed after"},
		"no port":       {nil, map[string]string{"EPSV": "229 (x)", "PASV": "227 none"}, "names no port"},
		"another state": {archive(t, "tl_2025_11_place.shp", nil), nil, "another place"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFTP(t, tt.body)
			s.says = tt.says
			_, session, err := byFTP(t, s, status(http.StatusForbidden))
			var failure *Failure
			if !errors.As(err, &failure) || strings.Contains(err.Error(), "mirror") {
				t.Fatalf("error %v", err)
			}
			for _, text := range []string{tt.want, "a refusal (403 Forbidden); and by ftp: ", "put tl_2025_10_place.zip here"} {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error does not say %q: %v", text, err)
				}
			}
			for _, path := range files(t, session.options.Cache) {
				if !strings.Contains(path, ".part") {
					t.Errorf("%s is there", path)
				}
			}
		})
	}
}

func TestAddressesByFTP(t *testing.T) {
	for address, want := range map[string]string{
		tiger: "ftp://ftp2.census.gov/geo/tiger/TIGER2025/PLACE/tl_2025_10_place.zip",
		acs:   "", statcan: "", "https://www2.census.gov/geo/x?y": "", "%": "",
	} {
		if got := ftpAddress(fallbacks, address); got != want {
			t.Errorf("%s gives %q, want %q", address, got, want)
		}
	}
	// A file that http does not have is not asked for by ftp.
	s := newFTP(t, place(t, 1))
	if _, _, err := byFTP(t, s, status(http.StatusNotFound)); err == nil || len(s.asked("USER")) > 0 {
		t.Errorf("error %v, asked %v", err, s.commands)
	}
}
