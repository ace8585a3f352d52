// A TypeScript client of the Location Insights API: typed requests by openapi-fetch over the types that
// openapi-typescript makes from openapi.json, with a token that is renewed before it expires.

import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type Schemas = components["schemas"];

/** The address of a server and the credentials of an account. */
export interface Account {
  server: string;
  clientID: string;
  clientSecret: string;
}

/** Makes a client that sends a token with every request. */
export function connect(account: Account): Client<paths> {
  // In queries lists are separated by commas.
  const client = createClient<paths>({
    baseUrl: account.server,
    querySerializer: { array: { style: "form", explode: false } },
  });
  client.use(authorization(account));
  return client;
}

function authorization(account: Account): Middleware {
  let token = "";
  let renewAt = 0; // milliseconds since 1970
  return {
    async onRequest({ request }) {
      if (Date.now() >= renewAt) {
        const granted = await grant(account);
        token = granted.access_token;
        renewAt = Date.now() + granted.expires_in * 500; // half of the lifetime
      }
      request.headers.set("Authorization", `Bearer ${token}`);
      request.headers.set("Accept", "application/json");
      return request;
    },
  };
}

async function grant(account: Account): Promise<Schemas["TokenGrant"]> {
  const { data, error } = await createClient<paths>({ baseUrl: account.server }).POST("/oauth/token", {
    body: { client_id: account.clientID, client_secret: account.clientSecret },
  });
  if (!data) {
    throw new Error(`no token: ${JSON.stringify(error)}`);
  }
  return data;
}
