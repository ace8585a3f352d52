package token

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"quartier/serve/account"
	"quartier/serve/param"
)

// maxRequestBytes limits the body of a token request.
const maxRequestBytes = 8 << 10

// Grant is the answer of POST /oauth/token.
type Grant struct {
	AccessToken string `json:"access_token" doc:"The token: a JSON Web Token for the header Authorization."`
	TokenType   string `json:"token_type" enum:"TokenType" doc:"How the token is used."`
	ExpiresIn   int    `json:"expires_in" column:"service.expires_in"`
}

// Request is the JSON body of POST /oauth/token.
type Request struct {
	ClientID     string `json:"client_id" doc:"Id of the credentials."`
	ClientSecret string `json:"client_secret" doc:"Secret of the credentials."`
	Audience     string `json:"audience,omitempty" enum:"Audience" doc:"The product that the token is for; by default this API."`
	GrantType    string `json:"grant_type,omitempty" enum:"GrantType" doc:"As defined by RFC 6749."`
}

// Grant answers a token request with a new token, or account.ErrStale, or ErrWrongClient, whose text does not reveal whether
// the id or the secret is wrong.
func (a *Authority) Grant(ctx context.Context, in Request) (Grant, error) {
	if err := a.directory.Fresh(a.now()); err != nil {
		return Grant{}, err
	}
	client := a.directory.Find(ctx, in.ClientID)
	if client == nil {
		noClient.Matches(in.ClientSecret) // the same work whether or not the id exists
		return Grant{}, ErrWrongClient
	}
	if !client.Matches(in.ClientSecret) {
		return Grant{}, ErrWrongClient
	}
	signed, err := a.Issue(client, in.Audience)
	if err != nil {
		return Grant{}, err
	}
	return Grant{AccessToken: signed, TokenType: "Bearer", ExpiresIn: int(a.lifetime.Seconds())}, nil
}

var noClient = new(account.Client)

// ReadRequest reads and checks a token request: JSON with client_id and client_secret, or a form as defined by RFC 6749,
// with the credentials in the form or in HTTP Basic. Its errors wrap ErrBadRequest and describe the problem.
func ReadRequest(w http.ResponseWriter, r *http.Request) (Request, error) {
	in, err := readBody(w, r)
	switch {
	case err != nil:
		return Request{}, err
	case in.ClientID == "":
		return Request{}, bad("client_id", param.Required, "client_id is missing")
	case in.ClientSecret == "":
		return Request{}, bad("client_secret", param.Required, "client_secret is missing")
	case in.GrantType != "" && in.GrantType != "client_credentials":
		return Request{}, bad("grant_type", param.NotAllowed, "grant_type must be client_credentials")
	case in.Audience != "" && in.Audience != AudienceV3 && in.Audience != AudienceReports:
		return Request{}, bad("audience", param.NotAllowed, "audience must be %s or %s", AudienceV3, AudienceReports)
	}
	return in, nil
}

// bad is an ErrBadRequest.
func bad(parameter string, reason param.Reason, format string, args ...any) error {
	return &param.Error{Kind: ErrBadRequest, Parameter: parameter, Reason: reason,
		Detail: ErrBadRequest.Error() + ": " + fmt.Sprintf(format, args...)}
}

func readBody(w http.ResponseWriter, r *http.Request) (Request, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return Request{}, bad("Content-Type", param.NotAllowed, "Content-Type must be application/json or application/x-www-form-urlencoded")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return Request{}, bad("", param.TooLong, "the body is longer than %d bytes", maxRequestBytes)
		}
		return Request{}, bad("", param.Malformed, "the body is truncated")
	}
	switch media {
	case "application/json":
		return readJSON(body)
	case "application/x-www-form-urlencoded":
		return readForm(r, string(body))
	}
	return Request{}, bad("Content-Type", param.NotAllowed, "Content-Type must be application/json or application/x-www-form-urlencoded")
}

// readJSON reads a JSON object. As in a form, a member can be given once: which of two credentials counts would depend on
// who reads them.
func readJSON(body []byte) (in Request, err error) {
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, bad("", param.Malformed, "the body is not a JSON object with client_id and client_secret")
	}
	members := json.NewDecoder(bytes.NewReader(body)) // valid, as it was decoded
	members.Token()
	seen := map[string]bool{}
	for members.More() {
		name, _ := members.Token()
		key := strings.ToLower(fmt.Sprint(name)) // as encoding/json finds fields
		if seen[key] {
			return Request{}, bad(key, param.Repeated, "a member is given more than once")
		}
		seen[key] = true
		members.Decode(new(json.RawMessage))
	}
	return in, nil
}

// readForm reads a form as in RFC 6749, section 4.4.2, with the credentials either in the form or in HTTP Basic
// (section 2.3.1).
func readForm(r *http.Request, body string) (Request, error) {
	form, err := url.ParseQuery(body)
	if err != nil {
		return Request{}, bad("", param.Malformed, "the form cannot be parsed")
	}
	for name, values := range form {
		if len(values) > 1 {
			return Request{}, bad(name, param.Repeated, "%s is given more than once", name)
		}
	}
	in := Request{form.Get("client_id"), form.Get("client_secret"), form.Get("audience"), form.Get("grant_type")}
	if in.GrantType == "" {
		return Request{}, bad("grant_type", param.Required, "grant_type is missing; it must be client_credentials")
	}
	id, secret, basic := r.BasicAuth()
	if !basic {
		return in, nil
	}
	if in.ClientSecret != "" {
		return Request{}, bad("client_secret", param.Conflicting, "credentials are given both in the form and in the Authorization header")
	}
	var errID, errSecret error
	in.ClientID, errID = url.QueryUnescape(id)
	in.ClientSecret, errSecret = url.QueryUnescape(secret)
	if err := errors.Join(errID, errSecret); err != nil {
		return Request{}, bad("Authorization", param.Malformed, "the Authorization header cannot be parsed")
	}
	return in, nil
}
