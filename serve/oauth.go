package serve

import (
	"errors"
	"net/http"

	"quartier/serve/token"
)

// TokenForm is the form of POST /oauth/token. The client may stand in HTTP Basic instead.
type TokenForm struct {
	GrantType    string `json:"grant_type"` // "client_credentials"
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
	Audience     string `json:"audience,omitempty"`
}

var basicRealm = []string{`Basic realm="quartier"`}

var oauthToken = &route{
	method:  http.MethodPost,
	path:    "/oauth/token",
	summary: "A token for the v3 endpoints",
	doc: "Takes JSON, or a form as RFC 6749 has it with grant_type=client_credentials and the client in the form or in HTTP Basic. " +
		"The audience reports-api is for the reports product: the v3 endpoints refuse its tokens.",
	body:    token.Request{},
	form:    TokenForm{},
	answer:  token.Grant{},
	refuses: []error{token.ErrBadRequest, token.ErrWrongClient},
	serve: func(x *exchange) error {
		grant, err := x.server.authority.Grant(x.w, x.r)
		if errors.Is(err, token.ErrWrongClient) && x.r.Header.Get("Authorization") != "" {
			x.w.Header()["Www-Authenticate"] = basicRealm // RFC 6749 5.2
		}
		if err != nil {
			return err
		}
		return x.writeValue(http.StatusOK, grant)
	},
}

var jwks = &route{
	method:  http.MethodGet,
	path:    "/.well-known/jwks.json",
	summary: "The public keys that tokens are signed with",
	answer:  token.KeySet{},
	serve: func(x *exchange) error {
		return x.writeValue(http.StatusOK, x.server.authority.KeySet())
	},
}
