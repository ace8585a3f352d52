// Package custom answers the endpoints of custom geographies: customers create, edit, list and deprecate requests for private
// polygons, which wait in the state for the next general update.
//
// Input: requests with JSON bodies. Output: requests in the state; the credentials of a customer share them, and to others they
// do not exist.
package custom

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/scope"
	"quartier/serve/state"
)

const (
	collection = "/v3/geographies/custom"
	member     = collection + "/{geo_entity_id}"
	resource   = "geographies/custom" // in the meta
)

var (
	variable = &openapi.Variable{
		Name: "geo_entity_id", Doc: "Id of the request.", MaxChars: 36,
		Pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
	}
	ifMatch = openapi.Term{ID: "If-Match",
		Doc: "ETags of versions that the caller knows, from GET, POST or PATCH. 412 if the request is none of them."}
	newKey = openapi.Term{ID: "Idempotency-Key",
		Doc: "1 to 255 visible ASCII characters. Within 24 hours the same key with the same fields gives the same request, with other fields " +
			"409."}
	example = schemas.CustomGeographyBody{
		NameEN: "Old Harbour", NameFR: "Vieux-Port", Type: "NEIGHBOURHOOD",
		Boundaries: "POLYGON ((-75.7 45.41, -75.68 45.41, -75.68 45.43, -75.7 45.43, -75.7 45.41))",
	}
)

// Create is POST /v3/geographies/custom. With acceptUncovered boundaries may be where the release has no data.
func Create(store *state.Store, acceptUncovered bool) endpoint.Endpoint {
	return endpoint.Endpoint{
		Name:    "createCustomGeography",
		Method:  http.MethodPost,
		Path:    collection,
		Product: account.CustomGeographies,
		Waits:   true,
		Summary: "Request a private geography",
		Doc: "The body is one JSON object of at most 256 KiB. The next general update publishes the geography. Its boundaries must not " +
			"cross or touch themselves, have 0.1 to 20,000 km² and a centroid in Canada or the United States. At most as many requests of a " +
			"customer as its agreement says, 1,000 by default, may wait for their publication.",
		Headers: []openapi.Term{newKey},
		Sent:    example,
		Success: http.StatusCreated,
		Body:    schemas.CustomGeographyReceipt{},
		Refuses: []error{ErrBoundaries, scope.ErrRegion, state.ErrKeyReused, state.ErrQuota, state.ErrCrowded, state.ErrFailed},
		Answer: func(r *endpoint.Request) error {
			key, err := idempotencyKey(r.HTTP.Header)
			if err != nil {
				return err
			}
			sent, err := readBody(r)
			if err == nil {
				err = r.Share.Work()
			}
			if err != nil {
				return err
			}
			change, err := sent.change(r, acceptUncovered)
			if err == nil {
				err = change.complete()
			}
			if err != nil {
				return err
			}
			r.Share.Rest()
			var fields state.Fields
			change.apply(&fields)
			made, err := store.CreateRequest(r.HTTP.Context(), caller(r), fields, key)
			if err != nil {
				return err
			}
			r.Location = collection + "/" + made.ID
			return writeReceipt(r, &made, http.StatusCreated)
		},
	}
}

// Edit is PATCH /v3/geographies/custom/{geo_entity_id}.
func Edit(store *state.Store, acceptUncovered bool) endpoint.Endpoint {
	return endpoint.Endpoint{
		Name:    "editCustomGeography",
		Method:  http.MethodPatch,
		Path:    member,
		Product: account.CustomGeographies,
		Waits:   true,
		Summary: "Change a request for a private geography",
		Doc: "The body has the members to change. The change is part of the next general update; until then the request has no geog_id, " +
			"and `published` has that of the version before. Members that are as they were change nothing.",
		Headers:  []openapi.Term{ifMatch},
		Sent:     schemas.CustomGeographyChange{NameEN: "Old Port"},
		Variable: variable,
		Body:     schemas.CustomGeographyReceipt{},
		Refuses: []error{state.ErrNoRequest, ErrBoundaries, scope.ErrRegion, state.ErrConflict, state.ErrChanged, state.ErrCrowded,
			state.ErrFailed},
		Answer: func(r *endpoint.Request) error {
			sent, err := readBody(r)
			if err != nil {
				return err
			}
			if _, err := find(store, r); err != nil {
				return err // before the body is judged, so that ids of others answer like unknown ones whatever is sent
			}
			change, err := sent.change(r, acceptUncovered)
			if err != nil {
				return err
			}
			if change.empty() {
				return param.Bad("", param.Empty, "the body has no field to change")
			}
			r.Share.Rest()
			changed, err := store.ChangeRequest(r.HTTP.Context(), caller(r), r.Segment, state.Edited, change.apply, matcher(r.HTTP.Header))
			if err != nil {
				return err
			}
			return writeReceipt(r, &changed, http.StatusOK)
		},
	}
}

// Remove is DELETE /v3/geographies/custom/{geo_entity_id}.
func Remove(store *state.Store) endpoint.Endpoint {
	return endpoint.Endpoint{
		Name:    "removeCustomGeography",
		Method:  http.MethodDelete,
		Path:    member,
		Product: account.CustomGeographies,
		Waits:   true,
		Summary: "Ask for the deprecation of a private geography",
		Doc: "The next general update deprecates the geography: it answers by its geog_id, and is found no more. A request that was never " +
			"published is taken back: it is deprecated at once, and built no more. One that waits with a change of what is published cannot be " +
			"removed.",
		Headers:  []openapi.Term{ifMatch},
		Success:  http.StatusAccepted,
		Variable: variable,
		Body:     schemas.CustomGeographyReceipt{},
		Refuses:  []error{state.ErrNoRequest, state.ErrConflict, state.ErrChanged, state.ErrCrowded, state.ErrFailed},
		Answer: func(r *endpoint.Request) error {
			changed, err := store.ChangeRequest(r.HTTP.Context(), caller(r), r.Segment, state.Removed, nil, matcher(r.HTTP.Header))
			if err != nil {
				return err
			}
			return writeReceipt(r, &changed, http.StatusAccepted)
		},
	}
}

// ByID is GET /v3/geographies/custom/{geo_entity_id}.
func ByID(store *state.Store) endpoint.Endpoint {
	return endpoint.Endpoint{
		Name:     "getCustomGeography",
		Method:   http.MethodGet,
		Path:     member,
		Product:  account.CustomGeographies,
		Waits:    true,
		Summary:  "A request for a private geography",
		Doc:      "The request is as last changed, whether or not that is published. Its ETag is for If-Match.",
		Variable: variable,
		Body:     schemas.CustomGeographyAnswer{},
		Refuses:  []error{state.ErrNoRequest, state.ErrFailed},
		Answer: func(r *endpoint.Request) error {
			found, err := find(store, r)
			if err != nil {
				return err
			}
			r.Version = versionOf(&found)
			return write(r, schemas.CustomGeographyAnswer{CustomGeography: shown(&found, true), Meta: schemas.NewMeta(resource, http.StatusOK)})
		},
	}
}

// workLong takes a processor for work that does not let others have their turn, such as that of a database in this process.
func workLong(r *endpoint.Request) error {
	if err := r.Share.Work(); err != nil {
		return err
	}
	return r.Share.Long()
}

// find returns the request of a path. It leaves a processor for what follows.
func find(store *state.Store, r *endpoint.Request) (found state.Request, err error) {
	err = ask(store, r, func() (err error) {
		found, err = store.Request(r.HTTP.Context(), r.Client.Customer, r.Segment)
		return err
	})
	return found, err
}

// ask reads the store, and leaves a processor for what follows. It takes that before where the store is in this process.
func ask(store *state.Store, r *endpoint.Request, read func() error) error {
	if store.Embedded() {
		if err := workLong(r); err != nil {
			return err
		}
		return read()
	}
	if err := read(); err != nil {
		return err
	}
	return r.Share.Work()
}

// listQuery is the query of GET /v3/geographies/custom.
type listQuery struct {
	Page, PageSize param.Value[int]
	Search         param.Value[string]
	Statuses       param.Value[[]string]
	Since          param.Value[time.Time]
}

// The limits of lists.
const (
	maxPage      = 1<<31 - 1
	maxPageSize  = 100
	usualPage    = 20
	maxSearchLen = 200
)

// statuses are the states of requests.
var statuses = func() (all []string) {
	for _, s := range state.Statuses {
		all = append(all, string(s.Status))
	}
	return all
}()

// List is GET /v3/geographies/custom.
func List(store *state.Store) endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "listCustomGeographies",
		Path:    collection,
		Product: account.CustomGeographies,
		Waits:   true,
		Summary: "The requests for private geographies",
		Doc:     "Credentials of one customer share them. A page past the end has no items.",
		Body:    schemas.CustomGeographiesAnswer{},
		Refuses: []error{state.ErrFailed},
	}, param.NewSet(nil,
		param.Count("page", maxPage, 1, func(q *listQuery) *param.Value[int] { return &q.Page }).Doc("Number of the page."),
		param.Count("page_size", maxPageSize, usualPage,
			func(q *listQuery) *param.Value[int] { return &q.PageSize }).Doc("Maximum number of items."),
		param.Phrase("search", maxSearchLen, func(q *listQuery) *param.Value[string] { return &q.Search }).
			Doc("Part of a name in either language, without regard to case and accents."),
		param.Ordered("processing_status", statuses,
			func(q *listQuery) *param.Value[[]string] { return &q.Statuses }).Doc("States of the requests that are listed."),
		param.Moment("updated_since", func(q *listQuery) *param.Value[time.Time] { return &q.Since }).
			Doc("Earliest time of the last change by a call of the requests that are listed."),
	), func(r *endpoint.Request, q *listQuery, _ *struct{}) error {
		list := state.RequestList{Search: strings.TrimSpace(q.Search.V), Since: q.Since.V, Page: q.Page.V, Size: q.PageSize.V}
		for _, s := range q.Statuses.V {
			list.Statuses = append(list.Statuses, state.Status(s))
		}
		var page []state.Request
		var total int
		err := ask(store, r, func() (err error) {
			page, total, err = store.Requests(r.HTTP.Context(), r.Client.Customer, list)
			return err
		})
		if err != nil {
			return err
		}
		answer := schemas.CustomGeographiesAnswer{
			Items: []schemas.CustomGeography{}, Page: list.Page, PageSize: list.Size,
			Total: total, Pages: (total + list.Size - 1) / list.Size, Meta: schemas.NewMeta(resource, http.StatusOK),
		}
		for i := range page {
			answer.Items = append(answer.Items, shown(&page[i], false))
		}
		if err := write(r, answer); err != nil {
			return err
		}
		r.Version = digest(r.Body)
		return nil
	})
}

func caller(r *endpoint.Request) state.Caller {
	return state.Caller{Customer: r.Client.Customer, ClientID: r.Client.ID, MostOpen: r.Client.Agreement.MostOpen(),
		Work: func() error { return workLong(r) }, Rest: r.Share.Rest}
}

// idempotencyKey is the Idempotency-Key of a request, "" without one.
func idempotencyKey(header http.Header) (string, error) {
	const maxKey = 255
	values := header.Values("Idempotency-Key")
	if len(values) == 0 || len(values) == 1 && values[0] == "" {
		return "", nil
	}
	if len(values) > 1 {
		return "", param.Bad("Idempotency-Key", param.Repeated, "Idempotency-Key is given more than once")
	}
	if len(values[0]) > maxKey || strings.ContainsFunc(values[0], func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", param.Bad("Idempotency-Key", param.Malformed, "Idempotency-Key must be 1 to %d visible ASCII characters", maxKey)
	}
	return values[0], nil
}

// ErrBoundaries marks boundaries that break a rule of custom geographies.
var ErrBoundaries = errors.New("the boundaries have a vertex out of bounds, cross or touch themselves, their area or centroid is out of " +
	"bounds, or no source covers them")
