// Prints the scores of a place and the cafés around it:
//   QUARTIER_SERVER=http://127.0.0.1:8080 QUARTIER_CLIENT_ID=… QUARTIER_CLIENT_SECRET=… npm run example -- 45.02 -72.53

import { connect } from "./client.js";

const api = connect({
  server: process.env["QUARTIER_SERVER"] ?? "http://127.0.0.1:8080",
  clientID: process.env["QUARTIER_CLIENT_ID"] ?? "",
  clientSecret: process.env["QUARTIER_CLIENT_SECRET"] ?? "",
});
const [lat = NaN, lng = NaN] = process.argv.slice(2).map(Number);

const scores = await api.GET("/v3/scores", { params: { query: { lat, lng, include: ["cafes", "quiet"] } } });
if (scores.error) {
  console.error(`${scores.response.status}: ${JSON.stringify(scores.error)}`);
  process.exit(1);
}
for (const [name, score] of Object.entries(scores.data?.data.location ?? {})) {
  console.log(`${name}: ${score.value}, ${score.text}`);
}

const cafes = await api.GET("/v3/enhanced-pois", {
  params: { query: { lat, lng, radius: 400, categories: ["cafes"], limit: 5 } },
});
for (const poi of cafes.data?.data.results ?? []) {
  console.log(`${poi.proximity.linear_distance_m} m: ${poi.name}`);
}
