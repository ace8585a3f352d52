package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"quartier/serve/account"
)

// maxRequestBytes bounds the body of a token request.
const maxRequestBytes = 8 << 10

// Grant is the answer of POST /oauth/token.
type Grant struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"` // always "Bearer"
	ExpiresIn   int    `json:"expires_in"` // seconds
}

// Request is the JSON body of POST /oauth/token.
type Request struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Audience     string `json:"audience,omitempty"`
	GrantType    string `json:"grant_type,omitempty"`
}

// Grant answers a token request: JSON with client_id and client_secret, or a form as RFC 6749 has it, with the
// credentials in the form or in HTTP Basic. Its errors are ErrBadRequest, whose text says what is wrong, and
// ErrWrongClient, which does not say whether the id or the secret was.
func (a *Authority) Grant(w http.ResponseWriter, r *http.Request) (Grant, error) {
	asked, err := readRequest(w, r)
	if err != nil {
		return Grant{}, err
	}
	switch {
	case asked.ClientID == "":
		return Grant{}, fmt.Errorf("%w: client_id is missing", ErrBadRequest)
	case asked.ClientSecret == "":
		return Grant{}, fmt.Errorf("%w: client_secret is missing", ErrBadRequest)
	case asked.GrantType != "" && asked.GrantType != "client_credentials":
		return Grant{}, fmt.Errorf("%w: grant_type must be client_credentials", ErrBadRequest)
	case asked.Audience != "" && asked.Audience != AudienceV3 && asked.Audience != AudienceReports:
		return Grant{}, fmt.Errorf("%w: audience must be %s or %s", ErrBadRequest, AudienceV3, AudienceReports)
	}
	client := a.directory.Client(asked.ClientID)
	if client == nil {
		nobody.Matches(asked.ClientSecret) // the same work, whether the id exists or not
		return Grant{}, ErrWrongClient
	}
	if !client.Matches(asked.ClientSecret) {
		return Grant{}, ErrWrongClient
	}
	signed, err := a.Issue(client, asked.Audience)
	if err != nil {
		return Grant{}, err
	}
	return Grant{AccessToken: signed, TokenType: "Bearer", ExpiresIn: int(a.lifetime.Seconds())}, nil
}

var nobody = new(account.Client)

func readRequest(w http.ResponseWriter, r *http.Request) (Request, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return Request{}, fmt.Errorf("%w: Content-Type must be application/json or application/x-www-form-urlencoded", ErrBadRequest)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return Request{}, fmt.Errorf("%w: the body is over %d bytes", ErrBadRequest, maxRequestBytes)
		}
		return Request{}, fmt.Errorf("%w: the body was cut short", ErrBadRequest)
	}
	switch media {
	case "application/json":
		var asked Request
		if err := json.Unmarshal(body, &asked); err != nil {
			return Request{}, fmt.Errorf("%w: the body is not a JSON object with client_id and client_secret", ErrBadRequest)
		}
		return asked, nil
	case "application/x-www-form-urlencoded":
		return readForm(r, string(body))
	}
	return Request{}, fmt.Errorf("%w: Content-Type must be application/json or application/x-www-form-urlencoded", ErrBadRequest)
}

// readForm reads RFC 6749 4.4.2, with the client in the form or in HTTP Basic (2.3.1), not in both.
func readForm(r *http.Request, body string) (Request, error) {
	form, err := url.ParseQuery(body)
	if err != nil {
		return Request{}, fmt.Errorf("%w: the form cannot be read", ErrBadRequest)
	}
	for name, values := range form {
		if len(values) > 1 {
			return Request{}, fmt.Errorf("%w: %s is given more than once", ErrBadRequest, name)
		}
	}
	asked := Request{form.Get("client_id"), form.Get("client_secret"), form.Get("audience"), form.Get("grant_type")}
	if asked.GrantType == "" {
		return Request{}, fmt.Errorf("%w: grant_type is missing; it must be client_credentials", ErrBadRequest)
	}
	id, secret, basic := r.BasicAuth()
	if !basic {
		return asked, nil
	}
	if asked.ClientSecret != "" {
		return Request{}, fmt.Errorf("%w: credentials stand both in the form and in the Authorization header", ErrBadRequest)
	}
	var errID, errSecret error
	asked.ClientID, errID = url.QueryUnescape(id)
	asked.ClientSecret, errSecret = url.QueryUnescape(secret)
	if err := errors.Join(errID, errSecret); err != nil {
		return Request{}, fmt.Errorf("%w: the Authorization header cannot be read", ErrBadRequest)
	}
	return asked, nil
}
