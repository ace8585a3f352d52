package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fallbacks are hosts whose publisher has the same tree by ftp as well, which treats browsers and programs alike.
var fallbacks = []fallback{{host: "www2.census.gov", under: "/geo/", ftp: "ftp2.census.gov"}}

type fallback struct{ host, under, ftp string }

// ftpAddress is the address of a file by ftp, "" if its publisher has none.
func ftpAddress(list []fallback, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, f := range list {
		if strings.EqualFold(u.Host, f.host) && strings.HasPrefix(u.Path, f.under) && u.RawQuery == "" {
			return (&url.URL{Scheme: "ftp", Host: f.ftp, Path: u.Path}).String()
		}
	}
	return ""
}

// ftpConn is a session with an ftp server as anonymous, in passive mode.
type ftpConn struct {
	host    string // with which data connections are made too, whatever the server says
	control net.Conn
	text    *textproto.Conn
	dial    func(ctx context.Context, address string) (net.Conn, error)
}

// attemptFTP is attempt by ftp. The server's date is the validator of what is on disk.
func (f fetcher) attemptFTP(ctx context.Context, r Request, part *part, progress Progress) (single bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.stall, func() { cancel(errStalled) })
	defer watch.Stop()
	u, err := url.Parse(r.ftp)
	if err != nil || strings.ContainsAny(u.Path, "\r\n") {
		return false, errors.New("the address is invalid")
	}
	conn, err := openFTP(ctx, u.Host)
	if err != nil {
		return false, f.ftpFailed(ctx, err)
	}
	defer conn.close()
	defer context.AfterFunc(ctx, conn.close)()
	said, err := conn.describe(u.Path)
	if err != nil {
		return false, f.ftpFailed(ctx, err)
	}
	if part.size > 0 && (said.LastModified == "" || !part.mark.same(said, said.Total) || part.size > said.Total) {
		if err := part.reset(); err != nil {
			return false, err
		}
	}
	if part.size > 0 && part.size == said.Total {
		return false, nil
	}
	if err := checkSize(r, said.Total); err != nil {
		return part.size == 0, err
	}
	data, err := conn.retrieve(ctx, u.Path, part.size)
	if errors.Is(err, errNoRest) {
		return false, startAgain(part, "the ftp server sends no rest from byte %d on (%s)", err.Error())
	}
	if err != nil {
		return false, f.ftpFailed(ctx, err)
	}
	defer data.Close()
	defer context.AfterFunc(ctx, func() { data.Close() })()
	body := &peeked{body: data, moved: func() { watch.Reset(f.stall) }}
	if single = part.size == 0; single {
		asked := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}}
		if refusal := classify(asked, body.peek(http.StatusOK), r.form(), true); refusal != nil {
			return true, f.refusal(refusal, "", body.err)
		}
		if err := part.begin(said); err != nil {
			return true, err
		}
	}
	return single, f.receive(ctx, r, part, body, said.Total, progress)
}

// ftpFailed is the error of an answer of the server, or of the connection.
func (f fetcher) ftpFailed(ctx context.Context, err error) error {
	var answer *textproto.Error
	if !errors.As(err, &answer) || ctx.Err() != nil {
		return f.failed(ctx, err)
	}
	text := fmt.Sprintf("the ftp server says %d %.100q", answer.Code, answer.Msg)
	switch {
	case answer.Code == 550:
		return &Refusal{Reason: Missing, Text: "no such file: " + text}
	case answer.Code >= 500:
		return &Refusal{Reason: Forbidden, Text: "a refusal: " + text}
	}
	return &retryError{err: &Refusal{Reason: Busy, Text: text}}
}

// openFTP connects to a host, with or without a port, and prepares to read bytes as they are.
func openFTP(ctx context.Context, host string) (*ftpConn, error) {
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	c := &ftpConn{host: host, dial: func(ctx context.Context, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, "tcp", address)
	}}
	address := host
	if name, _, err := net.SplitHostPort(host); err == nil {
		c.host = name
	} else {
		address = net.JoinHostPort(host, "21")
	}
	var err error
	if c.control, err = c.dial(ctx, address); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { c.control.Close() })()
	c.text = textproto.NewConn(c.control)
	if _, _, err = c.text.ReadResponse(220); err == nil {
		err = c.logIn()
	}
	if err == nil {
		_, err = c.ask(200, "TYPE I")
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *ftpConn) close() { c.control.Close() }

func (c *ftpConn) logIn() error {
	code, _, err := c.send(0, "USER anonymous")
	if err != nil {
		return err
	}
	if code == 331 {
		_, err = c.ask(230, "PASS "+agentName+"@")
	} else if code != 230 {
		err = &textproto.Error{Code: code, Msg: "no anonymous users"}
	}
	return err
}

// send sends a command and reads its answer, which must have a code unless that is 0.
func (c *ftpConn) send(code int, format string, args ...any) (int, string, error) {
	if err := c.text.PrintfLine(format, args...); err != nil {
		return 0, "", err
	}
	return c.text.ReadResponse(code)
}

func (c *ftpConn) ask(code int, format string, args ...any) (string, error) {
	_, text, err := c.send(code, format, args...)
	return text, err
}

// describe asks for size and date of a file; a server need not know them.
func (c *ftpConn) describe(path string) (mark, error) {
	said := mark{Total: -1}
	text, err := c.ask(213, "SIZE %s", path)
	if size, ok := natural(strings.TrimSpace(text)); err == nil && ok {
		said.Total = size
	} else if err := seriousFTP(err); err != nil {
		return said, err
	}
	text, err = c.ask(213, "MDTM %s", path)
	if at, bad := time.Parse("20060102150405", strings.TrimSpace(text)); err == nil && bad == nil {
		said.LastModified = at.UTC().Format(http.TimeFormat)
	} else if err := seriousFTP(err); err != nil {
		return said, err
	}
	return said, nil
}

// seriousFTP is an error, unless it is that of a server that does not know a command.
func seriousFTP(err error) error {
	var answer *textproto.Error
	if errors.As(err, &answer) && answer.Code >= 500 && answer.Code < 510 {
		return nil
	}
	return err
}

var extendedPort = regexp.MustCompile(`\(\|\|\|(\d{1,5})\|\)`)
var passivePort = regexp.MustCompile(`\d+,\d+,\d+,\d+,(\d{1,3}),(\d{1,3})`)

// dataPort asks where the next data connection is to go: a port of the same host.
func (c *ftpConn) dataPort() (int, error) {
	text, err := c.ask(229, "EPSV")
	if m := extendedPort.FindStringSubmatch(text); err == nil && m != nil {
		return strconv.Atoi(m[1])
	} else if err := seriousFTP(err); err != nil {
		return 0, err
	}
	if text, err = c.ask(227, "PASV"); err != nil {
		return 0, err
	}
	m := passivePort.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("the ftp server names no port: %.100q", text)
	}
	high, _ := strconv.Atoi(m[1]) // digits
	low, _ := strconv.Atoi(m[2])
	return high<<8 | low&0xff, nil
}

var errNoRest = errors.New("it does not know REST")

// retrieve opens the bytes of a file from an offset on.
func (c *ftpConn) retrieve(ctx context.Context, path string, from int64) (io.ReadCloser, error) {
	port, err := c.dataPort()
	if err != nil {
		return nil, err
	}
	data, err := c.dial(ctx, net.JoinHostPort(c.host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		if _, err = c.ask(350, "REST %d", from); err != nil && seriousFTP(err) == nil {
			err = errNoRest
		}
	}
	if err == nil {
		_, err = c.ask(1, "RETR %s", path) // 150 or 125
	}
	if err != nil {
		data.Close()
		return nil, err
	}
	return &ftpData{data, c.text}, nil
}

// ftpData are the bytes of a file, whose end is right only if the server says so.
type ftpData struct {
	net.Conn
	text *textproto.Conn
}

// Read implements io.Reader.
func (d *ftpData) Read(b []byte) (int, error) {
	n, err := d.Conn.Read(b)
	if n == 0 && err == io.EOF {
		if _, _, bad := d.text.ReadResponse(2); bad != nil {
			return 0, fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, bad)
		}
	}
	return n, err
}
