// Shapes of the API as GeoJSON, and what is drawn on the map. Pure functions.

// multiPolygon turns the geometry of the API, [polygon][ring][vertex] of [latitude, longitude], into GeoJSON.
export function multiPolygon(polygons) {
  return {type: 'MultiPolygon', coordinates: polygons.map(rings => rings.map(ring => ring.map(([lat, lng]) => [lng, lat])))};
}

// feature is a GeoJSON feature. role says how the map draws it: link, place, catchment, outline, old, new.
export function feature(role, geometry, properties = {}) {
  return {type: 'Feature', geometry, properties: {role, ...properties}};
}

export const point = ({lat, lng}) => ({type: 'Point', coordinates: [lng, lat]});

// rounded is a place to a tenth of a metre.
export const rounded = ({lat, lng}) => ({lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6))});

export const line = (...places) => ({type: 'LineString', coordinates: places.map(({lat, lng}) => [lng, lat])});

export const collection = features => ({type: 'FeatureCollection', features});

// bounds is the box [[west, south], [east, north]] around features, null where there is none.
export function bounds(features) {
  const box = [[Infinity, Infinity], [-Infinity, -Infinity]];
  const visit = coordinates => {
    if (typeof coordinates[0] !== 'number') return coordinates.forEach(visit);
    for (const i of [0, 1]) {
      box[0][i] = Math.min(box[0][i], coordinates[i]);
      box[1][i] = Math.max(box[1][i], coordinates[i]);
    }
  };
  for (const {geometry} of features) if (geometry) visit(geometry.coordinates);
  return box[0][0] <= box[1][0] ? box : null;
}
