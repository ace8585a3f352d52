package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Answer is what a server answers. At most one of OK and the errors is set: none where there is no body, as with 204 and 304.
type Answer[T any] struct {
	HTTPResponse *http.Response // with the status and headers, such as ETag and Retry-After; its body has been read
	Body         []byte

	OK          *T           // what was asked for
	Problem     *Problem     // 400, 401, 404, 405, 409, 412 and 431
	Refusal     *Refusal     // 403, 429 and 503
	InvalidData *InvalidData // 422
	ServerError *ServerError // 500
}

// request is what a method of an operation passes to call.
type request struct {
	method, path string
	params       any // a pointer to its Params, which may be nil; nil: it has none
	body         any // nil: none
	editors      []RequestEditor
}

// call sends a request. The answers with the statuses have a T.
func call[T any](ctx context.Context, c *Client, r request, statuses ...int) (*Answer[T], error) {
	response, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer := &Answer[T]{HTTPResponse: response}
	if answer.Body, err = io.ReadAll(response.Body); err != nil {
		return nil, err
	}
	if !strings.Contains(response.Header.Get("Content-Type"), "json") {
		return answer, nil
	}
	var into any
	switch status := response.StatusCode; {
	case slices.Contains(statuses, status):
		into = &answer.OK
	case slices.Contains([]int{400, 401, 404, 405, 409, 412, 431}, status):
		into = &answer.Problem
	case slices.Contains([]int{403, 429, 503}, status):
		into = &answer.Refusal
	case status == 422:
		into = &answer.InvalidData
	case status == 500:
		into = &answer.ServerError
	default:
		return answer, nil
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return nil, err
	}
	return answer, nil
}

func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	address, err := c.server.Parse("." + r.path)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	header := http.Header{}
	address.RawQuery = encode(r.params, header)
	sent, err := http.NewRequestWithContext(ctx, r.method, address.String(), body)
	if err != nil {
		return nil, err
	}
	sent.Header = header
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	for _, edit := range slices.Concat(c.editors, r.editors) {
		if err := edit(ctx, sent); err != nil {
			return nil, err
		}
	}
	return c.http.Do(sent)
}

// encode makes the query of the params whose tag is form, and sets the headers of the others. Lists are separated by commas.
func encode(params any, header http.Header) string {
	v := reflect.ValueOf(params)
	if params == nil || v.IsNil() {
		return ""
	}
	var query []string
	for field, value := range v.Elem().Fields() {
		form, inQuery := field.Tag.Lookup("form")
		name, optional := strings.CutSuffix(form, ",omitempty")
		if inQuery && !(optional && value.IsZero()) {
			query = append(query, name+"="+text(value, url.QueryEscape))
		} else if !inQuery && !value.IsZero() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			header.Set(name, text(value, func(s string) string { return s }))
		}
	}
	return strings.Join(query, "&")
}

// text is a parameter as text.
func text(v reflect.Value, escape func(string) string) string {
	switch {
	case v.Kind() == reflect.Pointer:
		return text(v.Elem(), escape)
	case v.Kind() == reflect.Slice:
		var list []string
		for i := range v.Len() {
			list = append(list, text(v.Index(i), escape))
		}
		return strings.Join(list, ",")
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	}
	if at, ok := v.Interface().(time.Time); ok {
		return escape(at.Format(time.RFC3339Nano))
	}
	return escape(fmt.Sprint(v.Interface()))
}
