package drill

import (
	"net/http"
	"net/http/httptest"
	"sync"
)

// altering is a handler that changes answers before they are sent.
func altering(right http.Handler, change func(*Answer)) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		right.ServeHTTP(recorder, r)
		a := Answer{recorder.Code, recorder.Result().Header, recorder.Body.String()}
		mu.Lock()
		change(&a)
		mu.Unlock()
		for name, values := range a.Header {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(a.Status)
		w.Write([]byte(a.Body))
	})
}
