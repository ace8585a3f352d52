"""Tests of quartier.py, against a server in this process, and against a real one where QUARTIER_URL names it."""

import doctest
import gzip
import io
import json
import logging
import os
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import quartier

SECRET = "s3cret-of-the-account"


class Server(ThreadingHTTPServer):
    """A server that answers with what is in script, a (status, headers, body) each, and else with {}."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.seen, self.tokens, self.lifetime = [], [], 0, 3600
        self.url = "http://127.0.0.1:%d" % self.server_address[1]
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize = "HTTP/1.1", -1

    def log_message(self, *args):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        if self.path == "/oauth/token":
            self.server.tokens += 1
            grant = {"access_token": "token%d" % self.server.tokens, "expires_in": self.server.lifetime, "token_type": "Bearer"}
            return self.write(200, {}, grant)
        status, headers, value = self.server.script.pop(0) if self.server.script else (200, {}, {})
        if status is None:
            return self.connection.close()
        self.write(status, headers, value)

    def write(self, status, headers, value):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        if headers.get("Content-Encoding") == "gzip":
            body = gzip.compress(body)
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = do_DELETE = answer


class Fake(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.api = quartier.Client(self.server.url, "id", SECRET, longest_wait=0.01, timeout=2)

    def paths(self):
        return [path for _, path, _, _ in self.server.seen if path != "/oauth/token"]

    def test_requests(self):
        self.api.scores(lat=45.5, lng=-75, include=["cafes", "quiet"], language=None)
        self.api.geography("g10_a/b c?", include="geometry")
        self.api.schools(lat=1, lng=2, include_catchments=True)
        self.api.create_custom_geography({"name_en": "Nord"}, idempotency_key="k")
        self.api.edit_custom_geography("id", {"name_fr": None}, if_match='"t"')
        self.api.remove_custom_geography("id")
        self.assertEqual(self.paths(), [
            "/v3/scores?include=cafes%2Cquiet&lat=45.5&lng=-75", "/v3/geographies/g10_a%2Fb%20c%3F?include=geometry",
            "/v3/schools?include_catchments=true&lat=1&lng=2", "/v3/geographies/custom", "/v3/geographies/custom/id",
            "/v3/geographies/custom/id"])
        self.assertEqual(self.server.tokens, 1)
        method, _, headers, body = self.server.seen[4]
        self.assertEqual((method, headers["Idempotency-Key"], body), ("POST", "k", b'{"name_en": "Nord"}'))
        self.assertEqual(self.server.seen[5][2]["If-Match"], '"t"')
        self.assertTrue(all(s[2]["Authorization"] == "Bearer token1" for s in self.server.seen[1:]))

    def test_bad_arguments_send_nothing(self):
        for call in (lambda: self.api.scores(lat=float("nan"), lng=0), lambda: self.api.geography(""),
                     lambda: self.api.scores(1, 2), lambda: self.api.geography(), lambda: self.api.create_custom_geography(),
                     lambda: self.api.scores(include=["a,b"]), lambda: quartier.Client("ftp://x", "a", "b"),
                     lambda: quartier.Client("http://x"), lambda: quartier.Client("http://x", "a"),
                     lambda: quartier.Client("http://x", "a", "b", key="k"), lambda: quartier.Client("http://u:p@x", "a", "b")):
            with self.assertRaises((ValueError, TypeError)):
                call()
        self.assertEqual(self.paths(), [])

    def test_tokens_are_renewed(self):
        self.server.lifetime = 0
        self.api.status()
        self.api.status()
        self.assertEqual(self.server.tokens, 2)
        self.server.lifetime, self.api.fresh = 3600, 0
        self.api.status()
        self.server.script = [(401, {}, {"code": "x", "detail": "d"})]
        self.api.status()
        self.assertEqual(self.server.tokens, 4)
        self.server.script = [(403, {}, {"message": "Forbidden"})] * 2
        with self.assertRaises(quartier.Forbidden) as caught:
            self.api.status()
        self.assertEqual((caught.exception.status, self.server.tokens), (403, 5))

    def test_busy_servers_are_asked_again(self):
        self.server.script = [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (None, {}, {}), (200, {}, b"{"), (200, {}, {"a": 1})]
        self.assertEqual(self.api.status(), {"a": 1})
        self.server.script = [(503, {"Retry-After": "7"}, {"message": "Service Unavailable"})] * 9
        with self.assertRaises(quartier.Busy) as caught:
            self.api.status()
        self.assertEqual((caught.exception.retry_after, caught.exception.detail, len(self.server.script)), (7.0, "Service Unavailable", 4))

    def test_writes_are_sent_once(self):
        for call in (lambda: self.api.create_custom_geography({}), lambda: self.api.remove_custom_geography("id")):
            self.server.script = [(503, {}, {})] * 3
            with self.assertRaises(quartier.Busy):
                call()
            self.assertEqual(len(self.server.script), 2)
        self.server.script = [(None, {}, {})] * 3
        with self.assertRaises(quartier.NetworkError):
            self.api.edit_custom_geography("id", {})
        self.server.script = [(503, {}, {}), (200, {}, {"geo_entity_id": "x"})]
        self.assertEqual(self.api.create_custom_geography({}, idempotency_key="k"), {"geo_entity_id": "x"})

    def test_refusals(self):
        for status, kind in ((400, quartier.BadRequest), (404, quartier.NotFound), (409, quartier.Conflict), (422, quartier.BadRequest),
                             (500, quartier.ServerError), (418, quartier.ServerError), (302, quartier.ServerError)):
            self.server.script = [(status, {"X-Request-Id": "r", "Location": "http://127.0.0.1:1/"},
                                   {"code": "C", "detail": "what to do", "parameter": "lat", "reason": "malformed"})]
            with self.assertRaises(kind) as caught:
                self.api.status()
            e = caught.exception
            self.assertEqual((e.status, e.code, e.detail, e.parameter, e.reason, e.request_id),
                             (status, "C", "what to do", "lat", "malformed", "r"))
        self.server.script = [(502, {"Content-Type": "text/html"}, b"<html>")]
        with self.assertRaises(quartier.ServerError):
            self.api.status()

    def test_bodies(self):
        self.server.script = [(204, {}, None), (200, {"Content-Encoding": "gzip"}, {"é": 1})]
        self.assertIsNone(self.api.status())
        self.assertEqual(self.api.status(), {"é": 1})

    def test_pages(self):
        self.server.script = [(200, {}, {"items": [1, 2], "pages": 2}), (200, {}, {"items": [3], "pages": 2}),
                              (200, {}, {"items": [4], "next": "9", "more": True}), (200, {}, {"items": [], "next": "9", "more": False})]
        self.assertEqual(list(self.api.each_custom_geography(2, search="x")), [1, 2, 3])
        self.assertEqual(list(self.api.each_event()), [4])
        self.assertEqual([path.rsplit("/", 1)[1] for path in self.paths()], [
            "custom?page=1&page_size=2&search=x", "custom?page=2&page_size=2&search=x", "events", "events?after=9"])

    def test_tables(self):
        self.server.script = [(200, {}, {"data": {"location": {"quiet": {"value": "4.5", "text": "t"}}}}), (204, {}, None)]
        self.assertEqual(self.api.scores_table([(1, 2), (3, 4)]), [{"lat": 1, "lng": 2, "quiet": 4.5}, {"lat": 3, "lng": 4, "quiet": None}])
        self.server.script = [(200, {}, {"data": {"property_types": {"a": {"30d": {"period": {"start_date": "x"}, "n": 1}}}}})]
        self.assertEqual(self.api.market_table("g"), [
            {"geog_id": "g", "property_type": "a", "interval": "30d", "period_start_date": "x", "n": 1}])

    def test_keys(self):
        api = quartier.Client(self.server.url + "/base/", key="qp_k&y", origin="https://portal.example")
        api.scores(lat=1, lng=2)
        _, path, headers, _ = self.server.seen[0]
        self.assertEqual((path, headers["Origin"]), ("/base/v3/scores?lat=1&lng=2&key=qp_k%26y", "https://portal.example"))
        self.assertEqual((self.server.tokens, headers.get("Authorization")), (0, None))

    def test_secrets_are_not_shown(self):
        seen = io.StringIO()
        handler = logging.StreamHandler(seen)
        quartier.log.addHandler(handler)
        quartier.log.setLevel(logging.DEBUG)
        self.addCleanup(quartier.log.removeHandler, handler)
        keyed = quartier.Client("http://127.0.0.1:1", key="publishable", retries=0)
        for api in (self.api, keyed):
            try:
                api.status()
            except quartier.NetworkError as error:
                seen.write(str(error))
            seen.write(repr(api))
        text = seen.getvalue()
        self.assertIn("GET /v3/status", text)
        for secret in (SECRET, "token1", "publishable"):
            self.assertNotIn(secret, text)

    def test_threads(self):
        threads = [threading.Thread(target=self.api.status) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((self.server.tokens, len(self.paths())), (1, 8))

    def test_timeouts(self):
        api = quartier.Client(self.server.url, key="k", timeout=0.2, retries=1, longest_wait=0)
        self.server.script = [(200, {"Content-Length": "5"}, b"")] * 2  # promises what does not come
        begun = time.monotonic()
        with self.assertRaises(quartier.NetworkError):
            api.status()
        self.assertLess(time.monotonic() - begun, 2)

    def test_command_line(self):
        self.server.script = [(200, {}, {"é": 1}), (404, {}, {"detail": "no such geography"})]
        env = {"QUARTIER_URL": self.server.url, "QUARTIER_KEY": "k"}
        out = io.StringIO()
        self.assertEqual(quartier.main(["scores", "45.5", "-75", "include=quiet"], env, out), 0)
        self.assertEqual(json.loads(out.getvalue()), {"é": 1})
        self.assertEqual(self.paths()[0], "/v3/scores?include=quiet&lat=45.5&lng=-75&key=k")
        self.assertEqual(quartier.main(["geography", "g"], env, out), 1)
        self.assertEqual(quartier.main(["remove_custom_geography", "g"], env, out), 2)

    def test_doctests(self):
        self.assertEqual(doctest.testmod(quartier).failed, 0)

    def test_every_operation_of_the_document(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "openapi.json"), encoding="utf-8") as file:
            paths = json.load(file)["paths"]
        self.assertLessEqual({(verb.lower(), path) for verb, path in quartier.ENDPOINTS.values()},
                             {(verb, path) for path, verbs in paths.items() for verb in verbs})
        left = {path for path, verbs in paths.items() for verb in verbs if path.startswith("/v3/") and
                (verb.upper(), path) not in quartier.ENDPOINTS.values()}
        self.assertEqual([path for path in left if "/tiles/" not in path and "/card" not in path], [])


@unittest.skipUnless(os.environ.get("QUARTIER_URL"), "no QUARTIER_URL")
class Real(unittest.TestCase):
    """Against the server of QUARTIER_URL, with a place of its release in QUARTIER_POINT (lat,lng), QUARTIER_GEOGRAPHY and QUARTIER_CELL."""

    def setUp(self):
        self.api = quartier.Client(os.environ["QUARTIER_URL"], os.environ["QUARTIER_CLIENT_ID"], os.environ["QUARTIER_CLIENT_SECRET"])
        self.lat, self.lng = map(float, os.environ["QUARTIER_POINT"].split(","))
        self.geography = os.environ["QUARTIER_GEOGRAPHY"]

    def test_every_read(self):
        at = {"lat": self.lat, "lng": self.lng}
        special = {"snapshot": dict(at, include=["scores_all"]), "pois": dict(at, include=["cafes"]), "custom_geographies": {},
                   "custom_geography_events": {}, "market_status": {}, "brands": {}, "categories": {}, "tags": {}, "status": {},
                   "addresses": {"q": "14 Main St"}, "travel_times": {"from_": f"{self.lat},{self.lng}", "to": f"{self.lat},{self.lng}"}}
        for name, (verb, path) in quartier.ENDPOINTS.items():
            if verb != "GET" or name in ("custom_geography", "market_stats", "market_status"):
                continue
            with self.subTest(name):
                call = getattr(self.api, name)
                if name == "typology_of":
                    call(os.environ["QUARTIER_CELL"])
                elif "{" in path:
                    self.assertIn("data", call(self.geography))
                else:
                    self.assertIsInstance(call(**special.get(name, at)), dict)

    def test_tables(self):
        rows = self.api.scores_table([(self.lat, self.lng)])
        answer = self.api.scores(lat=self.lat, lng=self.lng)["data"]["location"]
        self.assertEqual({"lat": self.lat, "lng": self.lng, **{name: float(score["value"]) for name, score in answer.items()}}, rows[0])
        people = self.api.demographics_table([(self.lat, self.lng)], [self.geography])
        self.assertTrue(any(row["lower"] is not None for row in people) and any(row["lower"] is None for row in people))
        self.assertEqual(len(self.api.pois_table(self.lat, self.lng, limit=3)), 3)

    def test_refusals(self):
        with self.assertRaises(quartier.BadRequest) as caught:
            self.api.scores(lat=91, lng=0)
        self.assertEqual((caught.exception.status, caught.exception.parameter), (422, "lat"))
        with self.assertRaises(quartier.NotFound):
            self.api.geography("g10_nothing000")
        with self.assertRaises(quartier.Forbidden):
            quartier.Client(os.environ["QUARTIER_URL"], "qc_nobody", "x").status()


if __name__ == "__main__":
    unittest.main()
