"""A client of the Location Insights API: one file, Python 3.9 or later, the standard library alone.

    >>> from quartier import Client
    >>> api = Client("https://api.example.com", client_id, client_secret)   # doctest: +SKIP
    >>> api.scores(lat=45.4215, lng=-75.6972)["data"]["location"]["cafes"]  # doctest: +SKIP
    {'value': '4.5', 'text': 'several cafés a short walk away'}
    >>> pandas.DataFrame(api.scores_table([(45.42, -75.69), (45.43, -75.70)]))  # doctest: +SKIP

Methods are those of ENDPOINTS; each returns the JSON of the answer as dicts and lists, and None where nothing is known
(204). What is not known is a missing key, or None in tables, and never 0. Refusals are exceptions, below Error. A client
can be used by several threads. Or on a command line:

    QUARTIER_URL=… QUARTIER_CLIENT_ID=… QUARTIER_CLIENT_SECRET=… python3 quartier.py scores 45.4215 -75.6972
"""

import datetime
import gzip
import http.client
import json
import logging
import math
import os
import random
import ssl
import sys
import threading
import time
import urllib.parse
import zlib

__version__ = "1.0.0"

log = logging.getLogger("quartier")

# name of the method: HTTP method, path. Its variable is the first argument, others are parameters by their names in the API; from_ is from.
ENDPOINTS = {
    "snapshot": ("GET", "/v3/data"),
    "demographics": ("GET", "/v3/demographics"),
    "demographics_of": ("GET", "/v3/demographics/{geog_id}"),
    "enhanced_pois": ("GET", "/v3/enhanced-pois"),
    "enhanced_pois_of": ("GET", "/v3/enhanced-pois/{geog_id}"),
    "brands": ("GET", "/v3/enhanced-pois/brands"),
    "categories": ("GET", "/v3/enhanced-pois/categories"),
    "tags": ("GET", "/v3/enhanced-pois/tags"),
    "pois": ("GET", "/v3/pois"),
    "geographies": ("GET", "/v3/geographies"),
    "geography": ("GET", "/v3/geographies/{geog_id}"),
    "custom_geographies": ("GET", "/v3/geographies/custom"),
    "custom_geography": ("GET", "/v3/geographies/custom/{geo_entity_id}"),
    "create_custom_geography": ("POST", "/v3/geographies/custom"),
    "edit_custom_geography": ("PATCH", "/v3/geographies/custom/{geo_entity_id}"),
    "remove_custom_geography": ("DELETE", "/v3/geographies/custom/{geo_entity_id}"),
    "custom_geography_events": ("GET", "/v3/geographies/custom/events"),
    "market_stats": ("GET", "/v3/market-stats/{geog_id}"),
    "market_status": ("GET", "/v3/market-stats/status"),
    "profile": ("GET", "/v3/profiles"),
    "profile_of": ("GET", "/v3/profiles/{geog_id}"),
    "schools": ("GET", "/v3/schools"),
    "addresses": ("GET", "/v3/addresses"),
    "address_at": ("GET", "/v3/addresses/reverse"),
    "scores": ("GET", "/v3/scores"),
    "scores_of": ("GET", "/v3/scores/{geog_id}"),
    "reach": ("GET", "/v3/reach"),
    "status": ("GET", "/v3/status"),
    "travel_times": ("GET", "/v3/travel-times"),
    "travel_times_of": ("GET", "/v3/travel-times/{geog_id}"),
    "typology": ("GET", "/v3/typologies"),
    "typology_of": ("GET", "/v3/typologies/{geohash}"),
}
_HEADERS = {"idempotency_key": "Idempotency-Key", "if_match": "If-Match"}


class Error(Exception):
    """A request that was not answered. Attributes: status (0: no answer), code, detail, parameter, reason, request_id."""
    retry_after = None

    def __init__(self, status=0, body=None, request_id=None, text=""):
        body = body if isinstance(body, dict) else {}
        self.status, self.request_id = status, request_id
        self.code, self.parameter, self.reason = body.get("code"), body.get("parameter"), body.get("reason")
        self.detail = body.get("detail") or body.get("message") or text
        super().__init__(f"{status or 'no answer'}: {self.detail}" + (f" ({self.code})" if self.code else ""))


def _kind(name, doc):
    return type(name, (Error,), {"__doc__": doc, "__module__": __name__})


BadRequest = _kind("BadRequest", "400, 405, 422, 431: the request is wrong; parameter and reason say where.")
Forbidden = _kind("Forbidden", "401, 403: the credentials, or the agreement.")
NotFound = _kind("NotFound", "404")
Conflict = _kind("Conflict", "409, 412: another request, or a change meanwhile.")
Busy = _kind("Busy", "429, 503, after all retries; the attribute retry_after is in seconds, or None.")
ServerError = _kind("ServerError", "500 and other statuses.")
NetworkError = _kind("NetworkError", "No answer: a connection failed or took too long, after all retries.")

_ERRORS = {400: BadRequest, 405: BadRequest, 422: BadRequest, 431: BadRequest, 401: Forbidden, 403: Forbidden,
           404: NotFound, 409: Conflict, 412: Conflict, 429: Busy, 503: Busy}


def _text(name, value):
    """The text of a parameter: "cafes,quiet" of a list, "true" of True."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {value}")
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        items = [_text(name, item) for item in value]
        if any("," in item for item in items):
            raise ValueError(f"an item of {name} has a comma, which separates items")
        return ",".join(items)
    return str(value)


def _seconds(answer):
    """The seconds of the header Retry-After, or None."""
    text = answer.get("Retry-After") or ""
    return float(text) if text.isdigit() else None


class Client:
    """A client of the server at an address, with the credentials of an account, or with a publishable key.

    timeout is that of each attempt in seconds. Reads are tried again, at most retries times, where the server is busy
    or the network failed; what writes is so only with an idempotency_key. longest_wait is the longest pause, in seconds.
    """

    fresh = 5.0  # seconds in which a token that is refused is not renewed

    def __init__(self, url, client_id=None, client_secret=None, *, key=None, origin=None, timeout=30.0, retries=4, longest_wait=30.0,
                 ssl_context=None):
        at = urllib.parse.urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname or at.query or at.fragment or at.username is not None:
            raise ValueError("url is the address of a server, such as https://api.example.com")
        if (client_id is None) == (key is None) or (client_id is None) != (client_secret is None):
            raise ValueError("give client_id and client_secret, or key")
        self._at, self._base = at, urllib.parse.quote(at.path.rstrip("/"), safe="/%")
        self._id, self._secret, self._key, self._origin = client_id, client_secret, key, origin
        self._timeout, self._retries, self._longest = timeout, retries, longest_wait
        self._tls = (ssl_context or ssl.create_default_context()) if at.scheme == "https" else None
        self._local, self._lock = threading.local(), threading.Lock()
        self._token, self._got, self._until = None, 0.0, 0.0

    def request(self, method, path, params=None, body=None, headers=None):
        """Sends a request, and returns the JSON of its answer; None with 204. params without a value are left out."""
        headers = dict(headers or {}, Accept="application/json")
        query = [(name, _text(name, value)) for name, value in sorted((params or {}).items()) if value is not None]
        again = method in ("GET", "HEAD") or "Idempotency-Key" in headers
        if self._origin:
            headers["Origin"] = self._origin
        renewed = False
        while True:
            if self._key is not None:
                status, answer, data = self._send(method, path, query + [("key", self._key)], body, headers, again)
            else:
                token, got = self._authorize()
                headers["Authorization"] = "Bearer " + token
                status, answer, data = self._send(method, path, query, body, headers, again)
                # a token that was revoked, or whose signing key was rotated out; one that was got just now would be refused again
                if status in (401, 403) and not renewed and time.monotonic() - got > self.fresh:
                    renewed = True
                    with self._lock:
                        self._token = None if self._token == token else self._token
                    continue
            if status == 204:
                return None
            if 200 <= status < 300:
                return data
            raise self._error(status, answer, data)

    @staticmethod
    def _error(status, answer, data):
        error = _ERRORS.get(status, ServerError)(status, data, answer.get("X-Request-Id"), "the server gave no reason")
        error.retry_after = _seconds(answer)
        return error

    def _authorize(self):
        """The token, and when it was got: a new one in the second half of its lifetime."""
        with self._lock:
            if self._token is None or time.monotonic() >= self._until:
                body = {"client_id": self._id, "client_secret": self._secret}
                status, answer, data = self._send("POST", "/oauth/token", [], body, {"Accept": "application/json"}, True)
                if status != 200 or not isinstance(data, dict) or "access_token" not in data:
                    raise self._error(status, answer, data)
                self._token, self._got = data["access_token"], time.monotonic()
                self._until = self._got + float(data.get("expires_in", 0)) / 2
            return self._token, self._got

    def _send(self, method, path, query, body, headers, again):
        """Sends a request, several times if need be; returns status, headers and JSON."""
        target = self._base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = dict(headers, **{"Accept-Encoding": "gzip", "User-Agent": "quartier-python/" + __version__})
        sent = None
        if body is not None:
            sent, headers["Content-Type"] = json.dumps(body, allow_nan=False).encode(), "application/json"
        if not again:
            self._close()  # the server may have closed it meanwhile
        for attempt in range(self._retries + 1):
            last = attempt == self._retries or not again
            try:
                status, answer, data = self._once(method, target, sent, headers)
            except (OSError, http.client.HTTPException, EOFError, zlib.error, json.JSONDecodeError) as error:
                self._close()
                if last:
                    raise NetworkError(text=f"{method} {path}: {type(error).__name__}: {error}") from None
                self._pause(attempt, None)
                continue
            log.debug("%s %s: %d", method, path, status)  # neither query nor headers: they have keys
            if status in (429, 503) and not last:
                self._pause(attempt, _seconds(answer))
                continue
            return status, answer, data

    def _once(self, method, target, sent, headers):
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind, tls = (http.client.HTTPSConnection, {"context": self._tls}) if self._tls else (http.client.HTTPConnection, {})
            connection = self._local.connection = kind(self._at.hostname, self._at.port, timeout=self._timeout, **tls)
        connection.request(method, target, sent, headers)
        response = connection.getresponse()
        body = response.read()
        if response.getheader("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        is_json = body and "json" in response.getheader("Content-Type", "")
        return response.status, response.headers, json.loads(body) if is_json else None

    def _pause(self, attempt, asked):
        time.sleep(min(0.25 * 2 ** attempt * (0.5 + random.random()) if asked is None else asked, self._longest))

    def _close(self):
        connection, self._local.connection = getattr(self._local, "connection", None), None
        if connection is not None:
            connection.close()

    def each_custom_geography(self, page_size=100, **params):
        """The requests for custom geographies, page by page."""
        page = 1
        while True:
            answer = self.custom_geographies(page=page, page_size=page_size, **params)
            yield from answer["items"]
            if page >= answer["pages"]:
                return
            page += 1

    def each_event(self, after=None):
        """The changes of requests for custom geographies, after an event's cursor, the earliest first."""
        while True:
            answer = self.custom_geography_events(after=after)
            yield from answer["items"]
            after = answer["next"]
            if not answer["more"]:
                return

    def scores_table(self, points, **params):
        """A row for each (lat, lng), with a number for each score; None: not known. For pandas.DataFrame(…)."""
        rows = []
        for lat, lng in points:
            answer = self.scores(lat=lat, lng=lng, **params)
            found = answer["data"].get("location", {}) if answer else {}
            rows.append({"lat": lat, "lng": lng, **{name: float(score["value"]) for name, score in found.items()}})
        return _filled(rows)

    def demographics_table(self, points=(), geog_ids=(), **params):
        """A row for each variable around each (lat, lng), or of each geography, with its interval; None: not known."""
        answers = [({"lat": lat, "lng": lng}, self.demographics(lat=lat, lng=lng, **params)) for lat, lng in points]
        answers += [({"geog_id": id}, self.demographics_of(id, **params)) for id in geog_ids]
        rows = []
        for where, answer in answers:
            for category, found in (answer["data"]["attributes"] if answer else {}).items():
                for variable in found["variables"]:
                    interval = variable.pop("confidence_interval", {})
                    rows.append({**where, "category": category, **variable, **interval})
        return _filled(rows)

    def pois_table(self, lat, lng, **params):
        """A row for each place of interest around a point, the nearest first."""
        rows = []
        for row in self.enhanced_pois(lat=lat, lng=lng, **params)["data"]["results"]:
            row["distance_m"] = row.pop("proximity")["linear_distance_m"]
            rows.append(row)
        return _filled(rows)

    def market_table(self, geog_id, **params):
        """A row for each property type and interval of a geography, with the columns joined by underscores."""
        rows = []
        for kind, intervals in self.market_stats(geog_id, **params)["data"]["property_types"].items():
            for code, periods in intervals.items():
                rows.append({"geog_id": geog_id, "property_type": kind, "interval": code, **_flat(periods)})
        return _filled(rows)


def _filled(rows):
    """The rows with the same keys, None where one has no value."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return [{key: row.get(key) for key in keys} for row in rows]


def _flat(value, prefix=""):
    """The members of nested dicts: {"a": {"b": 1}} as {"a_b": 1}."""
    if not isinstance(value, dict):
        return {prefix[:-1]: value}
    return {name: leaf for key, inner in value.items() for name, leaf in _flat(inner, f"{prefix}{key}_").items()}


def _method(name, verb, path):
    variable = path[path.index("{") + 1:-1] if "{" in path else None

    def call(self, *args, **params):
        if len(args) != (variable is not None) + (verb in ("POST", "PATCH")):
            raise TypeError(f"{name} takes {variable or 'no variable of the path'}" + (" and a body" if verb in ("POST", "PATCH") else ""))
        target = path
        if variable is not None:
            if not str(args[0]):
                raise ValueError(f"{variable} is empty")
            target = path[:path.index("{")] + urllib.parse.quote(str(args[0]), safe="")
        headers = {_HEADERS[p]: str(params.pop(p)) for p in list(params) if p in _HEADERS and params[p] is not None}
        body = args[-1] if verb in ("POST", "PATCH") else None
        return self.request(verb, target, {p.rstrip("_"): v for p, v in params.items() if p not in _HEADERS}, body, headers)

    call.__name__, call.__doc__ = name, f"{verb} {path}"
    return call


for _name, (_verb, _path) in ENDPOINTS.items():
    setattr(Client, _name, _method(_name, _verb, _path))


def main(args, env=os.environ, out=sys.stdout):
    """The command line: ENDPOINT [LAT LNG | ID] [name=value …] prints JSON; credentials are in the environment."""
    reads = [name for name, (verb, _) in ENDPOINTS.items() if verb == "GET"]
    if not args or args[0] not in reads:
        print("usage: quartier.py ENDPOINT [LAT LNG | ID] [name=value …], ENDPOINT one of " + ", ".join(reads) + "\n"
              "with QUARTIER_URL and QUARTIER_CLIENT_ID, QUARTIER_CLIENT_SECRET, or QUARTIER_KEY, QUARTIER_ORIGIN", file=sys.stderr)
        return 2
    named = dict(arg.split("=", 1) for arg in args[1:] if "=" in arg)
    plain = [arg for arg in args[1:] if "=" not in arg]
    if len(plain) == 2 and "{" not in ENDPOINTS[args[0]][1]:
        named.update(zip(("lat", "lng"), plain))
        plain = []
    try:
        api = Client(env.get("QUARTIER_URL", "http://127.0.0.1:8080"), env.get("QUARTIER_CLIENT_ID"), env.get("QUARTIER_CLIENT_SECRET"),
                     key=env.get("QUARTIER_KEY"), origin=env.get("QUARTIER_ORIGIN"))
        answer = getattr(api, args[0])(*plain, **named)
    except (Error, ValueError, TypeError) as error:
        print(f"quartier.py: {error}", file=sys.stderr)
        return 1
    json.dump(answer, out, ensure_ascii=False, indent=1)
    print(file=out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
