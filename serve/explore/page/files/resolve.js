// What a place is: the geographies around a point, or a geography with those around it.

// resolve returns the place of a target. In: {lat, lng}, or {geog_id, at, known} with the point at which the geography was clicked
// and what an earlier answer said of it, if there is such. Out: {lat, lng, geographies} or {geog_id, lat, lng, level, name,
// level_type, …, geographies}, the latter with the members of a geography of the API and the coordinates of its centroid.
// geographies are from the smallest to the largest: what contains the point or, of a geography, what contains it by area, itself,
// and what is smaller at the point at which it was clicked. A postal area contains no others.
export async function resolve(api, target) {
  if (!target.geog_id) return {lat: target.lat, lng: target.lng, called: target.name, geographies: await around(api, target)};
  const id = encodeURIComponent(target.geog_id);
  const known = target.known ?? api.get('geographies/' + id).then(answer => list(answer)[0]);
  const [own, atPoint, above] = await Promise.all([known, target.at ? around(api, target.at) : [], api.explore('parents/' + id).then(list)]);
  const inside = own.level !== postal && atPoint.some(one => one.geog_id === own.geog_id);
  const smaller = inside ? atPoint.filter(one => one.level < own.level) : [];
  return {...own, lat: own.centroid.lat, lng: own.centroid.lng, at: target.at ?? null, geographies: [...smaller, own, ...above]};
}

// postal is the level of ZIP codes and forward sortation areas, which are nobody's parents.
export const postal = 32;

async function around(api, {lat, lng}) {
  return list(await api.get('geographies', {lat, lng})).sort((a, b) => a.level - b.level);
}

// list returns the geographies of an answer in its order, each with its geog_id.
export function list(answer) {
  if (!answer) return [];
  const {geographies} = answer.data;
  return (answer.meta?.order ?? Object.keys(geographies)).map(geog_id => ({...geographies[geog_id], geog_id}));
}
