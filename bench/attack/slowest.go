package attack

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quartier/bench/fail"
	"quartier/schemas"
)

const (
	slowestRounds  = 3 // over all requests of a kind, of which the slowest is measured
	slowestRepeats = 60
)

// WorldOf is what a release has to be asked for but points. texts returns the first column of a query of a file.
func WorldOf(release string, texts func(file, query string) []string) *World {
	const largest = " ORDER BY area_m2 DESC LIMIT 200"
	w := &World{
		Geographies: texts(schemas.GeographiesFile, "SELECT geog_id FROM geography"+largest),
		Below:       texts(schemas.GeographiesFile, "SELECT geog_id FROM geography WHERE level <= 40"+largest),
		Names:       texts(schemas.GeographiesFile, "SELECT DISTINCT name_en FROM geography ORDER BY length(name_en) DESC, name_en LIMIT 100"),
		Profiles:    texts(schemas.ProfilesFile, "SELECT DISTINCT geog_id FROM profile_text ORDER BY geog_id LIMIT 200"),
	}
	file := filepath.Join("..", "market", schemas.MarketFile)
	if _, err := os.Stat(filepath.Join(release, file)); err == nil {
		w.Market = texts(file, "SELECT geog_id FROM market_stat GROUP BY geog_id HAVING count(*) > 8 ORDER BY geog_id LIMIT 200")
		m := fail.Must(schemas.ReadMarketManifest(filepath.Join(release, "..", "market")))
		for _, year := range append(m.Years(), 0) {
			w.Intervals = append(w.Intervals, texts(schemas.MarketYear(file, year), "SELECT code FROM interval")...)
		}
	}
	return w
}

// Measured is the slowest request of a kind, in milliseconds.
type Measured struct {
	Name, Figure      string
	Median, Low, High float64
}

// MeasureWorst measures the kinds of Worst whose name has a part, at a server that has used so many seconds of processors.
func MeasureWorst(w *World, part, addr, token string, seconds func() float64) (all []Measured) {
	for _, kind := range Worst(w) {
		if strings.Contains(kind.Name, part) && len(kind.Requests) > 0 {
			c := &asker{addr: addr, token: token}
			all = append(all, c.slowest(kind, seconds))
			c.close()
		}
	}
	return all
}

// slowest finds the slowest request of a kind, and measures it.
func (c *asker) slowest(kind Kind, seconds func() float64) Measured {
	least := make([]time.Duration, len(kind.Requests))
	for range slowestRounds {
		for i, r := range kind.Requests {
			if took, _, _ := c.ask(r); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	r := kind.Requests[slices.Index(least, slices.Max(least))]
	var all []float64
	status, size := 0, int64(0)
	before := seconds()
	for range slowestRepeats {
		var took time.Duration
		took, status, size = c.ask(r)
		all = append(all, float64(took.Microseconds())/1000)
	}
	processor := (seconds() - before) / slowestRepeats * 1000
	slices.Sort(all)
	m := Measured{Name: kind.Name, Median: all[len(all)/2], Low: all[0], High: all[len(all)-1]}
	m.Figure = fmt.Sprintf("%.0f µs, processor %.1f ms, status %d, %d bytes, of %d: %.60s", m.Median*1000, processor, status, size,
		len(kind.Requests), strings.TrimPrefix(r.Target, "/v3"))
	return m
}

// asker sends requests over a connection.
type asker struct {
	addr, token string
	conn        net.Conn // nil: none
	in          *bufio.Reader
}

// ask sends a request, and connects again where the server may close the connection after its answer.
func (c *asker) ask(r Request) (took time.Duration, status int, size int64) {
	if c.conn == nil {
		c.conn = fail.Must(net.Dial("tcp", c.addr))
		c.in = bufio.NewReader(c.conn)
	}
	text := c.wire(r)
	begun := time.Now()
	fail.Must(c.conn.Write(text))
	answer := fail.Must(http.ReadResponse(c.in, nil))
	size = fail.Must(io.Copy(io.Discard, answer.Body))
	took = time.Since(begun)
	if answer.Close || answer.StatusCode >= 400 && (r.Body != "" || len(text) > 32<<10) {
		c.close()
	}
	return took, answer.StatusCode, size
}

func (c *asker) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// wire is a request as it is sent.
func (c *asker) wire(r Request) []byte {
	method, headers := "GET", slices.Clone(r.Headers)
	if r.Body != "" {
		method, headers = "POST", append(headers, fmt.Sprintf("Content-Length: %d", len(r.Body)))
	}
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, r.Target, c.addr, c.token)
	for _, h := range headers {
		text += h + "\r\n"
	}
	return []byte(text + "\r\n" + r.Body)
}
