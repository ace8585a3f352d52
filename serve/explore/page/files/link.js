// The link that holds the whole view, in the fragment of the URL, which is never sent to a server. Pure functions.
//
//   #map=13.5/45.0341/-72.6168&at=45.0341,-72.6168&in=g10_i2grf43pgx&panel=scores&lang=fr&heat=cafes&why=cafes&with=45.04,-72.6
//
// map: zoom, latitude and longitude of the middle of the map; at: the point that was clicked; in: the geography that is looked
// at, without which it is the point; panel; lang; heat: the score of the heat layer; why: the score whose parts are shown;
// areas: level and figure of the areas that are coloured, 30:cafes; travel: mode, day and time of travel times, transit.tuesday.08:00;
// work: the place to which times are shown; with: the places that it is compared with, at most five points or
// geographies, with semicolons between them. What cannot be read is left out.

const names = /^[a-z][a-z_]{1,39}$/;
const geography = /^g\d\d_[A-Za-z0-9_-]{1,32}$/;

// read returns the view of a fragment, with null for what it does not have.
export function read(fragment) {
  const all = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = (name, pattern) => pattern.test(all.get(name) ?? '') ? all.get(name) : null;
  return {
    map: readMap(all.get('map')),
    at: readPoint(all.get('at')),
    geography: text('in', geography),
    panel: text('panel', names),
    language: text('lang', /^(en|fr)$/),
    heat: text('heat', names),
    why: text('why', names),
    compare: readPlaces(all.get('with')),
    travel: text('travel', /^(walk|bicycle|car|transit\.(tuesday|saturday|sunday)\.([01]\d|2[0-3]):[0-5]\d)$/),
    work: readPoint(all.get('work')),
    areas: text('areas', /^\d\d:[a-z][a-z_0-9]{1,39}(\.[a-z][a-z_0-9]{1,39})?$/),
  };
}

// write returns the fragment of a view, with its number sign; members that are null are left out.
export function write(view) {
  const parts = [];
  const add = (name, value) => value && parts.push(name + '=' + value);
  add('map', view.map && [decimal(view.map.zoom, 2), decimal(view.map.lat, 5), decimal(view.map.lng, 5)].join('/'));
  add('at', view.at && point(view.at));
  add('in', view.geography);
  add('panel', view.panel);
  add('lang', view.language);
  add('heat', view.heat);
  add('why', view.why);
  add('with', view.compare && view.compare.map(one => one.geog_id ?? point(one)).join(';'));
  add('areas', view.areas);
  add('travel', view.travel);
  add('work', view.work && point(view.work));
  return '#' + parts.join('&');
}

// readPoint reads "latitude,longitude" in degrees, null where it is none.
export function readPoint(text) {
  const [lat, lng, ...more] = (text ?? '').split(',').map(number);
  return more.length || !inside(lat, 90) || !inside(lng, 180) ? null : {lat, lng};
}

// mostCompared is how many places are compared with the one that is looked at.
export const mostCompared = 5;

function readPlaces(text) {
  const all = (text ?? '').split(';', mostCompared).map(readPlace).filter(Boolean);
  return all.length ? all : null;
}

function readPlace(text) {
  return geography.test(text ?? '') ? {geog_id: text} : readPoint(text);
}

function readMap(text) {
  const [zoom, lat, lng, ...more] = (text ?? '').split('/').map(number);
  return more.length || !(zoom >= 0 && zoom <= 24) || !inside(lat, 90) || !inside(lng, 180) ? null : {zoom, lat, lng};
}

const number = text => /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
const inside = (value, most) => Math.abs(value) <= most;
const decimal = (value, places) => String(Number(value.toFixed(places)));
const point = ({lat, lng}) => decimal(lat, 7) + ',' + decimal(lng, 7);
