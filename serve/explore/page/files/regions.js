// The regions of a release: in which one a place is, where the nearest is, what is known there, and where to begin.
import {el} from './dom.js';
import {formats} from './formats.js';
import {list} from './words.js';

const metresPerDegree = 111_195;

// regionAt is the smallest region whose box has a point; undefined where none has.
export function regionAt(regions, {lat, lng}) {
  const size = ({bbox: [west, south, east, north]}) => (east - west) * (north - south);
  return regions.filter(({bbox: [west, south, east, north]}) => west <= lng && lng <= east && south <= lat && lat <= north).sort((a, b) => size(a) - size(b))[0];
}

// nearest is the region whose box is the nearest to a point: {region, metres, direction}, with an eighth of the compass from 0, north,
// clockwise; null without regions.
export function nearest(regions, {lat, lng}) {
  const narrow = Math.cos(lat * Math.PI / 180);
  let best = null;
  for (const region of regions) {
    const [west, south, east, north] = region.bbox;
    const right = (Math.min(Math.max(lng, west), east) - lng) * narrow, up = Math.min(Math.max(lat, south), north) - lat;
    const metres = Math.hypot(right, up) * metresPerDegree;
    if (!best || metres < best.metres) best = {region, metres, direction: (Math.round(Math.atan2(right, up) / (Math.PI / 4)) + 8) % 8};
  }
  return best;
}

// isolated is a name as an element of its own, whose letters may run in another direction than those around it.
export const isolated = name => el('bdi', {}, name);

// goTo looks at a place to begin with, and moves the map to it.
export const goTo = (start, context) => context.select({geog_id: start.geog_id}, {goal: {lat: start.lat, lng: start.lng, zoom: start.zoom}});

// why says of a subject that is not known why, and which kind of source would give it.
export function why({what, reason, kinds}, {language, t}) {
  const of = t('region.why.' + reason), source = kinds ? ' ' + t('region.kinds', {kinds: list(language, kinds, 'disjunction')}) : '';
  return t('region.unknown.of', {what: t('panel.' + what), why: of}) + source;
}

// unknown is one line about what is not known in a region, which opens to the reasons; null where all is.
export function unknown(region, context) {
  if (!region?.unknown.length) return null;
  const {language, t} = context;
  return el('details', {class: 'unknown'},
    el('summary', {}, t('region.unknown', {list: list(language, region.unknown.map(one => t('panel.' + one.what).toLowerCase()))})),
    el('ul', {}, region.unknown.map(one => el('li', {}, why(one, context)))));
}

// outside says of a point in no region where the next one is, with a button that goes there.
export function outside(at, context) {
  const {language, t, number, release} = context, found = nearest(release?.regions ?? [], at);
  if (!found) return null;
  const km = Math.max(1, Math.round(found.metres / 1000));
  return el('div', {class: 'outside'},
    el('p', {}, t('region.outside', {km: number(km), direction: t('region.direction.' + found.direction)}), ' ', isolated(found.region.title[language]), '.'),
    el('button', {type: 'button', class: 'plain-button', onclick: () => goTo(found.region.starts[0], context)}, t('region.go', {name: found.region.title[language]})));
}

function mapOf(region) {
  const room = el('span', {class: 'locator'});
  import('./locator.js').then(({locator}) => room.append(locator(region.bbox)), () => {});
  return room;
}

// welcome is what one sees first: places to begin with, and the regions as cards with small maps, whose module no link needs.
export function welcome(context) {
  const {language, t, release} = context, form = formats(language);
  const starts = release.starts.map(start => el('li', {}, el('button', {type: 'button', class: 'plain-button', onclick: () => goTo(start, context)},
    isolated(start.name[language]), el('small', {}, t('start.' + start.role)))));
  const cards = release.regions.map(region => el('li', {}, el('button', {type: 'button', class: 'card', onclick: () => goTo(region.starts[0], context)},
    mapOf(region),
    el('span', {class: 'card-name'}, isolated(region.title[language])),
    el('span', {class: 'small'}, region.known.length ? t('region.known', {list: list(language, region.known.map(one => t('panel.' + one.what).toLowerCase()))}) : t('region.known.none')),
    el('span', {class: 'small'}, t('region.date', {date: form.date(region.as_of)})))));
  return [
    starts.length ? el('h3', {}, t('start.title')) : null, starts.length ? el('ul', {class: 'starts'}, starts) : null,
    cards.length ? el('h3', {}, t('region.title', {count: cards.length})) : null, cards.length ? el('ul', {class: 'cards'}, cards) : null,
  ].filter(Boolean);
}
