package serve

import (
	"net/http"

	"quartier/serve/token"
)

var oauthToken = &route{
	method:  http.MethodPost,
	path:    "/oauth/token",
	summary: "A token for the v3 endpoints",
	doc: "Takes JSON, or a form as RFC 6749 has it with grant_type=client_credentials. " +
		"The audience reports-api is for the reports product: the v3 endpoints refuse its tokens.",
	body:    token.Request{},
	answer:  token.Grant{},
	refuses: []error{token.ErrBadRequest, token.ErrWrongClient},
	serve: func(x *exchange) error {
		grant, err := x.server.authority.Grant(x.w, x.r)
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
