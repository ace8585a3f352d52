// What somebody has who installed the package: it is compiled strictly, asks a real server, and a server in this process that
// is busy, refuses tokens and hangs up.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, TokenError, type Schemas } from "quartier-client";

const env = (name: string): string => process.env[name] ?? assert.fail(`no ${name}`);
const account = { server: env("QUARTIER_SERVER"), clientID: env("QUARTIER_CLIENT_ID"), clientSecret: env("QUARTIER_CLIENT_SECRET") };
const [lat, lng] = env("QUARTIER_POINT").split(",").map(Number) as [number, number];

const real = connect(account);
const { data, error } = await real.GET("/v3/scores", { params: { query: { lat, lng, include: ["cafes", "quiet"] } } });
assert.equal(error, undefined);
const score: Schemas["LocationScore"] | undefined = data?.data.location?.["cafes"];
assert.match(score?.value ?? "", /^[0-5]\.\d$/);
// @ts-expect-error a score is text
assert.equal(typeof score?.value.toFixed, "undefined");
const refused = await real.GET("/v3/scores", { params: { query: { lat: 91, lng } } });
assert.equal(refused.response.status, 422);
await assert.rejects(connect({ ...account, clientSecret: "wrong" }).GET("/v3/status"), (e) => e instanceof TokenError && e.status === 401);

// A server that answers what is in script, and else 200.
const seen: { request: IncomingMessage; authorization: string | undefined }[] = [];
let script: ((response: ServerResponse) => void)[] = [];
let tokens = 0;
const busy = (status: number, after?: string) => (response: ServerResponse) => {
  response.writeHead(status, { "Content-Type": "application/json", ...(after ? { "Retry-After": after } : {}) }).end("{}");
};
const web = createServer((request, response) => {
  if (request.url === "/oauth/token") {
    tokens++;
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ access_token: `token${tokens}`, expires_in: 3600, token_type: "Bearer" }));
    return;
  }
  seen.push({ request, authorization: request.headers.authorization });
  (script.shift() ?? busy(200))(response);
});
await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
const server = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const fake = { server, clientID: "id", clientSecret: "secret", longestWait: 5, timeout: 2000, retries: 3 };

const api = connect(fake);
script = [busy(429, "7"), busy(503), (response) => response.destroy()];
assert.equal((await api.GET("/v3/status")).response.status, 200);
assert.equal(seen.length, 4);
script = [busy(503), busy(503), busy(503), busy(503), busy(503)];
assert.equal((await api.GET("/v3/status")).response.status, 503);
assert.equal(script.length, 1);

script = [busy(503), busy(503)];
const body = { name_en: "Nord", boundaries: "POLYGON((0 0,1 0,1 1,0 0))", type: "CITY" as const };
assert.equal((await api.POST("/v3/geographies/custom", { body })).response.status, 503); // it may have been made
assert.equal(script.length, 1);
const keyed = await api.POST("/v3/geographies/custom", { body, params: { header: { "Idempotency-Key": "k" } } });
assert.equal(keyed.response.status, 200);
assert.equal(tokens, 1);

script = [busy(403)];
assert.equal((await api.GET("/v3/status")).response.status, 403); // of a token that is new another one is not asked for
const now = Date.now;
Date.now = () => now() + 6000;
script = [busy(401)];
assert.equal((await api.GET("/v3/status")).response.status, 200);
assert.deepEqual([tokens, seen.at(-1)?.authorization], [2, "Bearer token2"]);
Date.now = () => now() + 2_000_000;
await Promise.all([1, 2, 3].map(() => api.GET("/v3/status")));
assert.equal(tokens, 3);

const published = connect({ server, key: "qp_a&b" });
await published.GET("/v3/scores", { params: { query: { lat: 1, lng: 2 } } });
assert.deepEqual([seen.at(-1)?.request.url, seen.at(-1)?.authorization, tokens], ["/v3/scores?lat=1&lng=2&key=qp_a%26b", undefined, 3]);

script = [() => {}, () => {}];
await assert.rejects(connect({ ...fake, timeout: 100, retries: 1 }).GET("/v3/status"), { name: "TimeoutError" });
web.closeAllConnections();
web.close();
console.log("all well");
