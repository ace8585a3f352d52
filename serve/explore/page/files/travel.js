// The panel of travel times. Of a point: how far one gets by a mode at a time of day, as rings on the map and as a table of what is
// reached, and how long it takes to work. Of an area: how long it takes from its homes to the centres around.
import {bars, matrix, scaleOf, table} from './charts.js';
import {choice, radios} from './choice.js';
import {el} from './dom.js';
import {feature, multiPolygon, point} from './geo.js';
import {formats, known} from './formats.js';
import {toWork} from './work.js';

const minutes = [15, 30, 45];
const days = ['tuesday', 'saturday', 'sunday'];
const times = ['06:00', '08:00', '12:00', '17:00', '20:00', '23:00'];

// wayOf is how one travels by a view: parameters of the API. Without a choice it is the last of the modes that the release has.
export function wayOf(view, modes = []) {
  const [, chosen, day, depart] = /^([a-z]+)(?:\.([a-z]+)\.(\d\d:\d\d))?$/.exec(view.travel ?? '') ?? [];
  const mode = modes.includes(chosen) ? chosen : modes.at(-1);
  return mode === 'transit' ? {mode, day: days.includes(day) ? day : days[0], depart: depart ?? times[1]} : {mode};
}

// nameOf is a way as the link has it.
const nameOf = ({mode, day, depart}) => day ? `${mode}.${day}.${depart}` : mode;

const pointOf = place => place.geog_id ? place.at : {lat: place.lat, lng: place.lng};

const reach = ({lat, lng}, way, include, {api}) => api.get('reach', {lat, lng, ...way, minutes, include});

// ask asks the rings around a point.
export const ask = (place, context) => {
  const at = pointOf(place), modes = context.release?.modes;
  return at && !place.geog_id && modes?.length ? reach(at, wayOf(context.view, modes), ['geometry'], context) : null;
};

// show writes the panel into an element, and draws the rings.
export async function show(element, place, context) {
  const {t, release} = context;
  element.append(el('h3', {}, t('travel.title')));
  if (!release.modes.length) return element.append(el('p', {class: 'missing'}, t('travel.none')));
  const body = el('div'), controls = el('div', {class: 'ways'});
  const fields = () => [...controls.querySelectorAll('input, select')];
  let shown = 0;
  const fill = async () => {
    const number = ++shown, way = wayOf(context.view, release.modes);
    const focused = fields().indexOf(document.activeElement);
    controls.replaceChildren(...controlsOf(way, context, choose));
    fields()[focused]?.focus();
    const fresh = el('div');
    try {
      await (place.geog_id ? centres : rings)(fresh, place, way, context);
    } catch (error) {
      context.onError(fresh, error);
    }
    if (number === shown) body.replaceChildren(fresh);
  };
  const choose = way => {
    context.set({travel: nameOf(way)});
    fill();
  };
  element.append(controls, body);
  await fill();
}

function controlsOf(way, {t, release}, choose) {
  const option = key => value => ({value, label: t(`travel.${key}.${value}`)});
  const all = [radios({label: t('travel.mode'), options: release.modes.map(option('mode')), chosen: way.mode, onchange: mode => choose({...way, mode, day: mode === 'transit' ? days[0] : undefined, depart: times[1]})})];
  if (!way.day) return all;
  const hours = times.includes(way.depart) ? times : [...times, way.depart].sort();
  return [...all, choice({label: t('travel.day'), options: days.map(option('day')), chosen: way.day, onchange: day => choose({...way, day})}),
    choice({label: t('travel.depart'), options: hours.map(value => ({value, label: t('travel.hour', {from: value})})), chosen: way.depart, onchange: depart => choose({...way, depart})})];
}

// rings shows what is reached from a point. The rings are drawn as soon as they are there; what is in them takes longer.
async function rings(element, place, way, context) {
  const {t, map, language} = context, at = pointOf(place);
  const counted = reach(at, way, ['people', 'households', 'jobs', 'pois', 'schools'], context), commutes = toWork([at], way, context);
  for (const later of [counted, commutes]) later.catch(() => {}); // each is awaited below
  const drawn = (await reach(at, way, ['geometry'], context))?.data.results;
  if (!drawn) return element.append(...commuteOf((await commutes)[0], context), el('p', {class: 'missing'}, t('travel.no_street')));
  const work = context.view.work;
  map.draw([...drawn.map((one, band) => feature('reach', multiPolygon(one.geometry ?? []), {band})).reverse(),
    ...work ? [feature('place', point(work), {label: t('travel.work.here')})] : []], {fit: false});
  const {results} = (await counted).data;
  element.append(...commuteOf((await commutes)[0], context), el('p', {class: 'legend rings'}, results.flatMap((one, band) => [
    el('span', {class: 'swatch line ring-' + band, 'aria-hidden': 'true'}), ' ', t('travel.within', {minutes: one.minutes}), ' '])));
  element.append(...reached(results, formats(language), t), ...notesOf(results, t));
}

// reached are the tables of what is within the limits.
function reached(results, format, t) {
  const people = results.map(one => {
    const {value, confidence_interval: interval} = one.people ?? {};
    return {label: t('travel.within', {minutes: one.minutes}), value, low: interval?.lower, high: interval?.upper, text: known(value) ? format.count(value) : t('missing'),
      small: interval ? t('interval', {low: format.count(interval.lower), high: format.count(interval.upper)}) : null};
  });
  const max = scaleOf(people);
  const rows = [['households', one => one.households?.value], ['jobs', one => one.jobs], ['pois', one => one.pois?.total_count], ['groceries', one => one.pois?.total_by_category.groceries],
    ['primary', one => one.schools?.primary], ['high', one => one.schools?.high]].map(([key, of]) => ({label: t('travel.' + key), code: 'count', sides: results.map(one => {
    const value = of(one);
    return {value, text: known(value) ? format.count(value) : t('missing')};
  })}));
  const parts = [];
  if (people.some(row => known(row.value))) parts.push(bars({caption: t('travel.people'), label: t('travel.minutes'), unit: t('travel.people'), rows: people, max, end: format.count(max), code: 'count', interval: '90 %', t}));
  return [...parts, matrix({caption: t('travel.reached'), label: t('travel.reached'), names: results.map(one => t('travel.within', {minutes: one.minutes})), heads: results.map(one => t('travel.min', {minutes: one.minutes})), rows, t})];
}

// notesOf say what is not known.
function notesOf(results, t) {
  const {coverage} = results.at(-1), keys = [];
  if (coverage.transit && coverage.transit !== 'complete') keys.push('travel.transit.' + coverage.transit);
  if (coverage.streets !== 'complete') keys.push('travel.streets.' + coverage.streets);
  if (known(coverage.people) && coverage.people < 0.995) keys.push('travel.ground');
  return [el('p', {class: 'small'}, t('travel.about')), ...keys.map(key => el('p', {class: 'missing'}, t(key)))];
}

// minutesOf is a time as text: the minutes, or why there are none.
export const minutesOf = (one, t) => known(one?.minutes) ? t('travel.min', {minutes: one.minutes}) : t('travel.reason.' + (one?.reason ?? 'not_covered'));

// commuteOf shows the way to work, with buttons to choose it.
function commuteOf(answer, {t, view, work}) {
  const button = (key, onclick) => el('button', {type: 'button', onclick}, t(key));
  if (!view.work) return [el('p', {class: 'buttons'}, button('travel.work.choose', () => work.pick()))];
  const one = answer?.data.results[0];
  return [el('div', {class: 'picked commute'}, el('h4', {}, t('travel.work')), el('p', {}, el('strong', {}, minutesOf(one, t))),
    one?.legs ? el('ol', {class: 'legs'}, one.legs.map(leg => el('li', {}, legOf(leg, t)))) : null,
    el('p', {class: 'buttons'}, button('travel.work.other', () => work.pick()), ' ', button('travel.work.clear', () => work.clear())))];
}

function legOf(leg, t) {
  const min = seconds => Math.max(1, Math.round(seconds / 60));
  if (leg.kind !== 'ride') return t('travel.leg.' + leg.kind, {minutes: min(leg.seconds)}) + (leg.to ? ' ' + t('travel.leg.to', {stop: leg.to}) : '');
  const values = {line: leg.line ?? '', minutes: min(leg.seconds), wait: Math.round(leg.wait_seconds / 60), from: leg.from, to: leg.to, departs: leg.departs?.slice(0, 5)};
  return t(leg.expected ? 'travel.leg.often' : 'travel.leg.ride', values);
}

// centres shows the times from the homes of an area.
async function centres(element, place, way, {api, language, t}) {
  const answer = await api.get('travel-times/' + encodeURIComponent(place.geog_id), {...way, language});
  const found = answer?.data.centres ?? [];
  if (!found.length) return element.append(el('p', {class: 'missing'}, t('travel.no_homes')));
  element.append(el('p', {class: 'small'}, t('travel.homes', {count: answer.data.homes})),
    table({caption: t('travel.centres'), label: t('travel.centre'), unit: t('travel.minutes'), t,
      rows: found.map(one => ({label: one.own ? t('travel.own', {name: one.name}) : one.name, value: one.minutes ?? 0, text: minutesOf(one, t)}))}));
}
