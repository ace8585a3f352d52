// A TypeScript client of the Location Insights API: typed requests by openapi-fetch over the types that
// openapi-typescript makes from openapi.json. It sends a token that is renewed before it expires, or a publishable key,
// and asks again where a server is busy or the network fails.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type { components, paths } from "./schema.js";
export type Schemas = components["schemas"];

/** How requests are sent. */
export interface Options {
  /** The address of a server: https://api.example.com */
  server: string;
  /** How often a read is sent again; writes are so only with an Idempotency-Key. By default 4. */
  retries?: number;
  /** The longest pause before that, in milliseconds. By default 30,000. */
  longestWait?: number;
  /** The time for each attempt, in milliseconds. By default 30,000. */
  timeout?: number;
  /** Sends a request in place of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The credentials of an account. They are secret: not for browsers. */
export interface Account extends Options {
  clientID: string;
  clientSecret: string;
}

/** A publishable key, for pages of the origins that it is bound to. */
export interface Publishable extends Options {
  key: string;
}

/** A request for a token that was refused. */
export class TokenError extends Error {
  constructor(
    readonly status: number,
    readonly problem: unknown,
  ) {
    super(`no token: ${status} ${JSON.stringify(problem)}`);
    this.name = "TokenError";
  }
}

/** Makes a client of a server. */
export function connect(options: Account | Publishable): Client<paths> {
  const send = retrying(options);
  // In queries lists are separated by commas.
  return createClient<paths>({
    baseUrl: options.server,
    querySerializer: { array: { style: "form", explode: false } },
    headers: { Accept: "application/json" },
    fetch: "key" in options ? withKey(options.key, send) : withToken(options, send),
  });
}

type Send = (request: Request) => Promise<Response>;

/** Adds a publishable key to the query. */
function withKey(key: string, send: Send): Send {
  return (request) => {
    const url = new URL(request.url);
    url.searchParams.set("key", key);
    return send(new Request(url, request));
  };
}

/** Adds a token: a new one in the second half of its lifetime, and once where one is refused that was not got just now. */
function withToken(account: Account, send: Send): Send {
  const fresh = 5000; // milliseconds
  let grant: Promise<{ token: string; got: number; until: number }> | undefined;
  const ask = async () => {
    const { data, error, response } = await createClient<paths>({ baseUrl: account.server, fetch: send }).POST("/oauth/token", {
      body: { client_id: account.clientID, client_secret: account.clientSecret },
    });
    if (!data) {
      throw new TokenError(response.status, error);
    }
    const got = Date.now();
    return { token: data.access_token, got, until: got + data.expires_in * 500 };
  };
  const current = async () => {
    const before = grant;
    const known = await before?.catch(() => undefined);
    if ((!known || Date.now() >= known.until) && grant === before) {
      grant = ask(); // one for all requests that wait
    }
    return grant as NonNullable<typeof grant>;
  };
  return async (request) => {
    for (let renewed = false; ; renewed = true) {
      const used = await current();
      const attempt = new Request(request.clone());
      attempt.headers.set("Authorization", `Bearer ${used.token}`);
      const response = await send(attempt);
      if (renewed || (response.status !== 401 && response.status !== 403) || Date.now() - used.got <= fresh) {
        return response;
      }
      if ((await grant) === used) {
        grant = undefined;
      }
    }
  };
}

/** Sends a request again after 429, 503 and errors of the network, where that cannot do something twice. */
function retrying(options: Options): Send {
  const { retries = 4, longestWait = 30_000, timeout = 30_000, fetch = globalThis.fetch } = options;
  return async (request) => {
    const again =
      request.method === "GET" || request.headers.has("Idempotency-Key") || new URL(request.url).pathname.endsWith("/oauth/token");
    for (let attempt = 0; ; attempt++) {
      const last = !again || attempt >= retries;
      let wait = 250 * 2 ** attempt * (0.5 + Math.random());
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
        const response = await fetch(new Request(request.clone(), { signal }));
        if (last || (response.status !== 429 && response.status !== 503)) {
          return response;
        }
        await response.body?.cancel();
        wait = 1000 * Number(response.headers.get("Retry-After") ?? NaN) || wait;
      } catch (error) {
        if (last || request.signal.aborted) {
          throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, longestWait)));
    }
  };
}
