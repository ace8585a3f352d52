package explore

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
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
	errPrefetched = &problem{http.StatusServiceUnavailable, "prefetched", "This link works once, and is not opened before it is followed.",
		"Ce lien ne sert qu'une fois, et n'est pas ouvert avant d'être suivi.", ""}
	errTooManyKeys = &problem{http.StatusTooManyRequests, "too_many_keys", "Too many wrong links from this address.",
		"Trop de liens erronés depuis cette adresse.", "10"}
	errHost = &problem{http.StatusMisdirectedRequest, "wrong_host",
		"The explorer is not reached by this name: use the address that the server printed, or start it with --explore-host and the name and " +
			"port of this address.",
		"L'explorateur n'est pas joint par ce nom : utilisez l'adresse que le serveur a imprimée, ou démarrez-le avec --explore-host et le nom " +
			"et le port de cette adresse.", ""}
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
	errNoArchive = &problem{http.StatusNotFound, "no_tiles",
		"This release has no tiles of this kind: it was made by an older program, or without streets.",
		"Cette version n'a pas de tuiles de ce genre : elle a été faite par un programme plus ancien, ou sans rues.", ""}
	errNoTile = &problem{http.StatusNotFound, "no_tile", "There is no such tile: it is beyond the zooms of the archive.",
		"Cette tuile n'existe pas : elle est hors des niveaux de zoom de l'archive.", ""}
	errTilesOfRegions = &problem{http.StatusForbidden, "not_in_agreement",
		"Tiles have all regions of the release, and the agreement of the account only some.",
		"Les tuiles contiennent toutes les régions de la version, et l'entente du compte certaines seulement.", ""}
	errTilesOfProducts = &problem{http.StatusForbidden, "not_in_agreement",
		"Tiles of the map have geographies and places, which the agreement of the account does not both have.",
		"Les tuiles de la carte contiennent des géographies et des lieux, que l'entente du compte n'a pas toutes deux.", ""}
	errTilesOfScores = &problem{http.StatusForbidden, "not_in_agreement",
		"Tiles of scores have all scores, and the agreement of the account does not.",
		"Les tuiles de scores contiennent tous les scores, et l'entente du compte non.", ""}
	errPreparing = &problem{http.StatusServiceUnavailable, "preparing",
		"This is being prepared, or others ask for it too: ask again in a moment.",
		"Ceci est en préparation, ou d'autres le demandent aussi : demandez de nouveau dans un instant.", "3"}
	errNotExplained = &problem{http.StatusNotFound, "not_explained",
		"This server cannot explain the scores of this release: it was built with other constants than this program's.",
		"Ce serveur ne peut pas expliquer les scores de cette version : elle a été faite avec d'autres constantes que celles de ce programme.",
		""}
	errNoFiles = &problem{http.StatusNotFound, "not_explained",
		"This server has the packs of the release alone; scores are explained by its SQLite files.",
		"Ce serveur n'a que les packs de la version; les scores sont expliqués par ses fichiers SQLite.", ""}
	errDamagedFiles = &problem{http.StatusServiceUnavailable, "damaged_files",
		"A SQLite file of the release is damaged: scores are not explained.",
		"Un fichier SQLite de la version est endommagé : les scores ne sont pas expliqués.", ""}
	errExplainsPOIs = &problem{http.StatusForbidden, "not_in_agreement",
		"An explanation names places, and the agreement of the account has no points of interest.",
		"Une explication nomme des lieux, et l'entente du compte n'a pas de points d'intérêt.", ""}
	errBadPoint = &problem{http.StatusBadRequest, "bad_request", "lat and lng must be numbers of degrees.",
		"lat et lng doivent être des nombres de degrés.", ""}
	errNoChanges = &problem{http.StatusNotFound, "no_changes",
		"No other release is compared with this one: start the server with --explore-against DIR.",
		"Aucune autre version n'est comparée à celle-ci : démarrez le serveur avec --explore-against DIR.", ""}
	errSameRelease = &problem{http.StatusNotFound, "no_changes", "The release of --explore-against is the one that is served.",
		"La version de --explore-against est celle qui est servie.", ""}
	errNotCompared = &problem{http.StatusServiceUnavailable, "not_compared",
		"The two releases cannot be compared; the log of the server says why.",
		"Les deux versions ne peuvent pas être comparées; le journal du serveur dit pourquoi.", ""}
	errBadSelection = &problem{http.StatusBadRequest, "bad_request",
		"level must be a level of geographies such as 30, and bbox west,south,east,north in degrees.",
		"level doit être un niveau de géographies tel que 30, et bbox ouest,sud,est,nord en degrés.", ""}
	errNotInAgreement = &problem{http.StatusForbidden, "not_in_agreement", "The agreement of the account does not have this figure.",
		"L'entente du compte n'a pas cette donnée.", ""}
	errBadAnalysis = &problem{http.StatusBadRequest, "bad_request", "level must be a level of geographies up to 40, figure one that the " +
		"explorer has, bbox west,south,east,north in degrees; lat and lng numbers of degrees, and minutes up to six whole numbers from 1 to 30 " +
		"that ascend.", "level doit être un niveau jusqu'à 40, figure une donnée de l'explorateur, bbox ouest,sud,est,nord en degrés; lat et " +
		"lng des nombres de degrés, et minutes au plus six nombres entiers croissants de 1 à 30.", ""}
	errBadSearch = &problem{http.StatusBadRequest, "bad_request",
		"q must be a text of 1 to 256 characters, lat, lng and zoom the middle of the map, and limit from 1 to 20.",
		"q doit être un texte de 1 à 256 caractères, lat, lng et zoom le milieu de la carte, et limit de 1 à 20.", ""}
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
	setHeaders(header, documentGuards)
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
	v.length[0] = strconv.Itoa(len(body))
	header["Content-Length"] = v.length[:]
	v.W.WriteHeader(status)
	if v.HTTP.Method != http.MethodHead {
		v.W.Write(body) // fails only when the caller has hung up
	}
}
