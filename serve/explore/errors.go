package explore

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// problem is an error with its answer.
type problem struct {
	status     int
	code       string // for the page, which has the words
	en, fr     string // for people and logs
	retryAfter string // seconds; "": absent
}

func (p *problem) Error() string { return p.en }

const newLinkEN = " The program prints a new link when it starts and when it gets the signal USR1 (kill -USR1 PID)."
const newLinkFR = " Le programme imprime un nouveau lien au démarrage et à la réception du signal USR1 (kill -USR1 PID)."

// What the explorer answers instead of what was asked for.
var (
	errNoSession = &problem{http.StatusUnauthorized, "session_ended", "There is no session, or it has ended." + newLinkEN,
		"Il n'y a pas de session, ou elle est terminée." + newLinkFR, ""}
	errRevoked = &problem{http.StatusUnauthorized, "session_ended", "The account of the explorer is revoked: all sessions have ended.",
		"Le compte de l'explorateur est révoqué : toutes les sessions sont terminées.", ""}
	errWrongKey = &problem{http.StatusUnauthorized, "wrong_key", "This link has no key of this server." + newLinkEN,
		"Ce lien n'a pas de clé de ce serveur." + newLinkFR, ""}
	errUsedKey = &problem{http.StatusGone, "used_key", "This link was opened before, and works once." + newLinkEN,
		"Ce lien a déjà été ouvert, et ne sert qu'une fois." + newLinkFR, ""}
	errOldKey = &problem{http.StatusGone, "old_key", "This link is older than 15 minutes." + newLinkEN,
		"Ce lien date de plus de 15 minutes." + newLinkFR, ""}
	errTooManyKeys = &problem{http.StatusTooManyRequests, "too_many_keys", "Too many wrong links from this address.",
		"Trop de liens erronés depuis cette adresse.", "10"}
	errHost = &problem{http.StatusMisdirectedRequest, "wrong_host", "The explorer is not reached by this name: use the address that the server printed, or start it with --explore-host.",
		"L'explorateur n'est pas joint par ce nom : utilisez l'adresse que le serveur a imprimée, ou démarrez-le avec --explore-host.", ""}
	errOrigin = &problem{http.StatusForbidden, "wrong_origin", "The explorer answers its own page alone.",
		"L'explorateur ne répond qu'à sa propre page.", ""}
	errNotJSON = &problem{http.StatusUnsupportedMediaType, "not_json", "A body must be application/json.",
		"Un corps de requête doit être application/json.", ""}
	errNoPath = &problem{http.StatusNotFound, "not_found", "There is no such path.", "Ce chemin n'existe pas.", ""}
	errMethod = &problem{http.StatusMethodNotAllowed, "method_not_allowed", "This path does not support this method.",
		"Ce chemin n'admet pas cette méthode.", ""}
	errStale = &problem{http.StatusServiceUnavailable, "stale_accounts", "The accounts could not be read for too long.",
		"Les comptes n'ont pas pu être lus depuis trop longtemps.", ""}
	errNoRelease = &problem{http.StatusServiceUnavailable, "no_release", "There is no release to serve yet, or it is damaged.",
		"Il n'y a pas encore de version à servir, ou elle est endommagée.", "5"}
	errInternal = &problem{http.StatusInternalServerError, "internal", "Internal error; the same request can be retried.",
		"Erreur interne; la même requête peut être répétée.", ""}
)

// writeError answers with an error: to people who open the page in words, to the page as JSON.
func (e *Explorer) writeError(v *visit, err error) {
	p, ok := errors.AsType[*problem](err)
	if !ok {
		e.log.Error("the explorer failed", "route", RouteOf(v.Path), "error", err)
		p = errInternal
	}
	header := v.W.Header()
	delete(header, "Etag")
	header["Cache-Control"] = noStore
	if p.retryAfter != "" {
		header["Retry-After"] = []string{p.retryAfter}
	}
	if opens(v.Path) {
		e.writeWords(v, p)
		return
	}
	body, err := json.Marshal(struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
	}{p.code, p.en})
	if err != nil { // impossible: the texts are constants
		body = nil
	}
	write(v, p.status, jsonType, body)
}

// write sends a complete answer.
func write(v *visit, status int, kind []string, body []byte) {
	header := v.W.Header()
	header["Content-Type"] = kind
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	v.W.WriteHeader(status)
	if v.HTTP.Method != http.MethodHead {
		v.W.Write(body) // fails only when the caller has hung up
	}
}

// prefersFrench reports whether French comes before English in an Accept-Language header.
func prefersFrench(accept string) bool {
	for entry := range strings.SplitSeq(accept, ",") {
		switch language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(entry)), "-"); {
		case strings.HasPrefix(language, "fr"):
			return true
		case strings.HasPrefix(language, "en"):
			return false
		}
	}
	return false
}
