// Package bare has the ceilings: net/http handlers that write prepared answers, and that do the SQL of stored requests by hand.
package bare

import (
	"encoding/gob"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"

	"quartier/bench/fail"
)

// gcPercent is that of quartierd: with the default of 100 a twentieth of the time of the ceiling was the collection of garbage.
const gcPercent = 400

// Serve is the ceiling: a net/http handler that writes bodies from memory. The path /N returns the Nth.
func Serve(args []string) {
	debug.SetGCPercent(gcPercent)
	var bodies [][]byte
	file := fail.Must(os.Open(args[1]))
	fail.Check(gob.NewDecoder(file).Decode(&bodies))
	file.Close()
	fail.Check(http.ListenAndServe(args[0], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil || i < 0 || i >= len(bodies) {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = []string{strconv.Itoa(len(bodies[i]))}
		w.Write(bodies[i])
	})))
}
