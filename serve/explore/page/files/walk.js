// The panel of walking minutes: the streets within 5, 10, 15 and 20 minutes of the point, as rings on the map and as a table.
import {bars, scaleOf} from './charts.js';
import {el} from './dom.js';
import {feature} from './geo.js';
import {formats} from './formats.js';

const minutes = [5, 10, 15, 20];

const pointOf = place => place.geog_id ? place.at : {lat: place.lat, lng: place.lng};

const ringsOf = ({lat, lng}, api) => api.explore('rings', {lat, lng, minutes});

// ask asks the rings around a point.
export const ask = (place, {api}) => pointOf(place) ? ringsOf(pointOf(place), api) : null;

// unpacked are the lines of a band as GeoJSON.
export const unpacked = lines => lines.map(line => {
  const points = [];
  for (let i = 0, lng = 0, lat = 0; i < line.length; i += 2) points.push([(lng += line[i]) / 1e5, (lat += line[i + 1]) / 1e5]);
  return points;
});

// show writes the rings around a point into an element, and draws them.
export async function show(element, place, {api, map, language, t}) {
  element.append(el('h3', {}, t('walk.title')));
  const at = pointOf(place), format = formats(language);
  if (!at) return element.append(el('p', {class: 'missing'}, t('walk.area')));
  const answer = await ringsOf(at, api);
  if (!answer) return element.append(el('p', {class: 'missing'}, t('walk.none')));
  const {bands, metres_per_minute: pace, complete} = answer.data;
  const rows = bands.map((band, i) => {
    const from = i ? bands[i - 1].minutes : 0;
    return {label: t('walk.band', {from, to: band.minutes}), value: Math.round(band.m / 100) / 10, text: t('walk.km', {km: format.decimal(band.m / 1000)}), after: el('span', {class: 'swatch line ring-' + i, 'aria-hidden': 'true'})};
  });
  const max = scaleOf(rows);
  element.append(
    el('p', {class: 'small'}, t('walk.about', {pace, reach: pace * bands.at(-1).minutes})),
    bars({caption: t('walk.streets'), label: t('walk.minutes'), unit: t('walk.unit'), rows, max, end: t('walk.km', {km: format.decimal(max)}), code: 'km', t}),
    el('p', {class: 'small'}, t('walk.known')),
    complete ? '' : el('p', {class: 'missing'}, t('walk.edge')));
  map.draw(bands.map((band, i) => feature('ring', {type: 'MultiLineString', coordinates: unpacked(band.lines)}, {band: i})).reverse(), {fit: false});
}
