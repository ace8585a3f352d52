package attack

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"quartier/bench/fail"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// Prepare writes the state of an attack at a path: a customer, and those who attack it.
func (a Attack) Prepare(path string) (customer account.Credentials, attackers []account.Credentials) {
	os.Remove(path)
	store := fail.Must(state.Open("sqlite:" + path))
	create := func(name string, agreement account.Agreement) account.Credentials {
		_, grant, err := store.Create(name, agreement)
		fail.Check(err)
		return grant
	}
	customer = create("alice", account.Agreement{Rate: 100_000})
	for i := range a.Customers() {
		name := fmt.Sprint("mallory ", i)
		attackers = append(attackers, create(name, account.Agreement{CustomGeographies: true}))
		if strings.Contains(a.Name, "lists") || strings.Contains(a.Name, "events") {
			fill(store, name)
		}
	}
	fail.Check(store.Close())
	return customer, attackers
}

// fill makes as many requests of a customer as may be open.
func fill(store *state.Store, customer string) {
	name := strings.Repeat("Ẽ%_", 66)
	for i := range account.DefaultOpenRequests {
		fields := state.Fields{NameEN: fmt.Sprint(name, i), NameFR: name, Type: "COMMUNITY", Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"}
		_, err := store.CreateRequest(context.Background(), state.Caller{Customer: customer}, fields, "")
		fail.Check(err)
	}
}

// Token gets the token of an account from a server.
func Token(addr string, c account.Credentials) string {
	body := fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, c.ClientID, c.ClientSecret)
	for range 50 { // the server follows its store within a second
		answer := fail.Must(http.Post("http://"+addr+"/oauth/token", "application/json", strings.NewReader(body)))
		var grant struct {
			AccessToken string `json:"access_token"`
		}
		err := json.NewDecoder(answer.Body).Decode(&grant)
		answer.Body.Close()
		if err == nil && grant.AccessToken != "" {
			return grant.AccessToken
		}
		time.Sleep(100 * time.Millisecond)
	}
	fail.Errorf("no token for %s", c.ClientID)
	return ""
}

// Experience is what a customer had of a server.
type Experience struct {
	Took   []time.Duration // of answers of status 200
	Failed int             // requests with another status or no answer
	First  string          // failure
}

// Add adds what the customer had of a server at another time.
func (e *Experience) Add(more Experience) {
	e.Took = append(e.Took, more.Took...)
	e.Failed += more.Failed
	e.First = cmp.Or(e.First, more.First)
}

// perConnection is how many requests a customer sends over a connection.
const perConnection = 200

// Ask sends requests of several kinds over two connections at once, with pauses, as a caller within its rate does.
func Ask(addr, token string, span time.Duration) (all Experience) {
	targets := []string{
		fmt.Sprintf("/v3/geographies?lat=%v&lng=%v", servetest.NorthLat, servetest.Lng),
		fmt.Sprintf("/v3/scores?lat=%v&lng=%v", servetest.NorthLat, servetest.Lng),
		fmt.Sprintf("/v3/enhanced-pois?lat=%v&lng=%v&radius=1000&limit=20", servetest.NorthLat, servetest.Lng),
	}
	caller := &attacker{addr: addr, token: token}
	var mu sync.Mutex
	var callers sync.WaitGroup
	end := time.Now().Add(span)
	for range 2 {
		callers.Go(func() {
			var conn net.Conn
			var in *bufio.Reader
			for i := 0; time.Now().Before(end); i++ {
				time.Sleep(2 * time.Millisecond)
				begun := time.Now()
				var err error
				if conn == nil {
					if conn, err = net.DialTimeout("tcp", addr, 5*time.Second); err == nil {
						in = bufio.NewReader(conn)
					}
				}
				if err == nil {
					err = askOnce(conn, in, caller.request(targets[i%len(targets)]))
				}
				mu.Lock()
				if err == nil {
					all.Took = append(all.Took, time.Since(begun))
				} else if all.Failed++; all.First == "" {
					all.First = err.Error()
				}
				mu.Unlock()
				if conn != nil && (err != nil || i%perConnection == perConnection-1) {
					conn.Close()
					conn = nil
				}
			}
			if conn != nil {
				conn.Close()
			}
		})
	}
	callers.Wait()
	return all
}

// askOnce sends a request, and fails unless it is answered with 200 within some seconds.
func askOnce(conn net.Conn, in *bufio.Reader, request []byte) error {
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := conn.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	return nil
}
