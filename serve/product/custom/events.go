package custom

import (
	"net/http"
	"strconv"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/state"
)

// eventsQuery is the query of GET /v3/geographies/custom/events.
type eventsQuery struct{ After param.Value[string] }

// mostEvents is the number of events of an answer.
const mostEvents = 100

// Events is GET /v3/geographies/custom/events.
func Events(store *state.Store) endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "listCustomGeographyEvents",
		Path:    collection + "/events",
		Product: account.CustomGeographies,
		Waits:   true,
		Summary: "Changes of the states of requests for private geographies",
		Doc: "The changes of the last 90 days in their order, 100 at a time. A caller that asks with after, the next of its last answer, " +
			"misses none and gets none twice. Credentials of one customer share them.",
		Body:    schemas.CustomGeographyEventsAnswer{},
		Refuses: []error{state.ErrFailed},
	}, param.NewSet(nil,
		param.Phrase("after", 19, func(q *eventsQuery) *param.Value[string] { return &q.After }).
			Doc("The next of an answer of before, or the cursor of an event; without it the changes begin with the earliest one."),
	), func(r *endpoint.Request, q *eventsQuery, _ *struct{}) error {
		after, err := strconv.ParseUint(q.After.V, 10, 63)
		if q.After.Given && err != nil {
			return param.Bad("after", param.Malformed, "after is %s, it must be a cursor of an event", param.Quote(q.After.V))
		}
		var events []state.StateChange
		err = ask(store, r, func() (err error) {
			events, err = store.Events(r.HTTP.Context(), r.Client.Customer, int64(after), mostEvents+1)
			return err
		})
		if err != nil {
			return err
		}
		answer := schemas.CustomGeographyEventsAnswer{Items: []schemas.CustomGeographyEvent{}, Next: q.After.V, More: len(events) > mostEvents,
			Meta: schemas.NewMeta(resource, http.StatusOK)}
		for _, e := range events[:min(len(events), mostEvents)] {
			answer.Next = strconv.FormatInt(e.N, 10)
			answer.Items = append(answer.Items, schemas.CustomGeographyEvent{Cursor: answer.Next, At: e.At, GeoEntityID: e.ID,
				ProcessingStatus: string(e.Status), GeogID: orNull(e.GeogID)})
		}
		if err := write(r, answer); err != nil {
			return err
		}
		r.Version = digest(r.Body)
		return nil
	})
}
