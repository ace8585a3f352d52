// Requests that the compiler refuses: tsc reports an @ts-expect-error above a line without an error.

import type { Client } from "openapi-fetch";
import type { paths } from "./schema.js";

export async function refused(api: Client<paths>): Promise<void> {
  const point = { lat: 45.02, lng: -72.53 };
  // @ts-expect-error there is no such category
  await api.GET("/v3/enhanced-pois", { params: { query: { ...point, categories: ["cafe"] } } });
  // @ts-expect-error a required parameter is missing
  await api.GET("/v3/data", { params: { query: point } });
  // @ts-expect-error there is no such path
  await api.GET("/v3/score", { params: { query: point } });
  const scores = await api.GET("/v3/scores", { params: { query: point } });
  // @ts-expect-error values are strings
  const value: number | undefined = scores.data?.data.location?.["quiet"]?.value;
  console.log(value);
}
