// What counted for a score: the report of quartier explain as tables, and as lines on the map.
import {el} from './dom.js';
import {feature, line, point} from './geo.js';
import {scores} from './vocabulary.js';
import {spaced, words} from './words.js';

// At most so many places are listed and drawn for a score: those that count the most.
const most = 30;

// explained returns content, an element with the report in words, and features for the map. In: the answer of /explore/explain,
// null where nothing is known.
export function explained(report, place, context) {
  const {t} = context;
  const value = report?.values[0];
  if (!value) return {content: el('p', {class: 'missing'}, t('why.none')), features: []};
  const all = [value, ...(value.under ?? [])];
  const places = distinct(all.flatMap(one => one.places ?? []));
  const lines = all.flatMap(one => one.lines ?? []).sort((a, b) => b.part - a.part);
  const streets = all.flatMap(one => one.streets ?? []);
  const content = el('div', {class: 'why-content'},
    value.absent ? el('p', {}, context.language === 'fr' ? spaced(value.absent) : value.absent) : null,
    value.unknown?.length ? el('ul', {}, value.unknown.map(one => el('li', {}, t('why.unknown', {part: one.part, source: one.source})))) : null,
    places.length ? placesTable(places.slice(0, most), context) : null,
    lines.length ? linesTable(lines.slice(0, most), context) : null,
    streets.length ? streetsTable(streets.slice(0, most), context) : null,
    places.length + lines.length + streets.length ? null : el('p', {}, t('why.no_places')),
    places.length > most ? el('p', {class: 'small'}, t('why.most', {count: most, all: places.length})) : null,
    computation(all, report, context));
  return {content, features: drawing(place, [...places.slice(0, most), ...lines.slice(0, most)], context)};
}

// distinct keeps a place that counts in several parts once, with its largest part, those that count the most first.
function distinct(places) {
  const byKey = new Map();
  for (const one of places) {
    const key = one.source_id + ' ' + one.source_key + ' ' + one.class;
    if (!byKey.has(key) || byKey.get(key).part < one.part) byKey.set(key, one);
  }
  return [...byKey.values()].sort((a, b) => b.part - a.part || a.m - b.m);
}

function placesTable(places, context) {
  const {t, number} = context;
  const counts = places.some(one => one.part > 0);
  const rows = places.map(one => el('tr', {},
    el('th', {scope: 'row'}, one.name ?? t('why.nameless'), ' ', el('small', {}, word('class.', one.class, t), one.hectares ? ', ' + number(one.hectares, 1) + ' ha' : '')),
    el('td', {}, t(one.straight ? 'metres.straight' : 'metres', {m: number(one.m)})),
    counts ? el('td', {}, one.part > 0 ? number(one.part, 2) : '–') : null));
  return table(t('why.places'), [t('why.place'), t('why.way'), ...(counts ? [t('why.counts')] : [])], rows);
}

// linesOf gives each line what is said of it: mode, where it goes and its stop. Lines that read the same say their direction too or,
// where they have one direction, by what they are known to their source.
export function linesOf(lines, {t, number}) {
  const said = lines.map(one => [word('mode.', one.mode, t), one.headsign ? t(one.basis === 'timetable' ? 'why.toward' : 'why.ends', {place: one.headsign}) : '',
    one.stop && one.stop !== one.name ? t('why.stop', {stop: one.stop}) : ''].filter(Boolean).join(', '));
  const alike = lines.map((one, i) => lines.filter((other, n) => n !== i && other.name === one.name && said[n] === said[i]));
  return lines.map((one, i) => said[i] + (!alike[i].length ? '' : ', ' + (alike[i].every(other => other.direction !== one.direction)
    ? t('why.direction', {direction: number(one.direction + 1)}) : t('why.route', {route: one.route ?? '', direction: number(one.direction + 1)}))));
}

function linesTable(lines, context) {
  const {t, number} = context, said = linesOf(lines, context);
  const rows = lines.map((one, i) => el('tr', {},
    el('th', {scope: 'row'}, one.name, ' ', el('small', {}, said[i])),
    el('td', {}, t('metres', {m: number(one.m)})),
    el('td', {}, number(one.trips_week))));
  return table(t('why.lines'), [t('why.line'), t('why.way'), t('why.week')], rows);
}

function streetsTable(streets, {t, number}) {
  const rows = streets.map(one => el('tr', {},
    el('th', {scope: 'row'}, one.name ?? t('why.nameless_street')),
    el('td', {}, t('metres', {m: number(one.m)})),
    el('td', {}, one.vehicles_day ? t(one.count ? 'why.vehicles.counted' : 'why.vehicles.assumed', {vehicles: number(one.vehicles_day)}) : '–')));
  return table(t('why.streets'), [t('why.street'), t('why.straight'), t('why.traffic')], rows);
}

const table = (caption, heads, rows) => el('table', {class: 'plain'}, el('caption', {}, caption),
  el('thead', {}, el('tr', {}, heads.map(head => el('th', {scope: 'col'}, head)))), el('tbody', {}, rows));

// computation has the formula with its numbers and the parts. The texts are of the report, in the language that was asked for; the notes
// of the release are in English alone.
function computation(all, report, {t, number, language}) {
  const write = text => plain(language === 'fr' ? spaced(text) : text);
  const parts = all.flatMap(one => (one.parts ?? []).map(part => el('li', {}, nameOf(part.name, language), t('why.is'),
    part.value === null ? t('missing') : number(part.value, 4), part.weight > 0 ? ' × ' + number(part.weight, 2) : '', part.of ? ' — ' + write(part.of) : '')));
  const formulas = all.map(one => [one.formula, one.worked].filter(Boolean).join(' '));
  const legend = [formulas.some(text => /\b(?:clamp|borne)\(/.test(text)) ? t('why.clamp') : null, formulas.some(text => /\bW\(/.test(text)) ? t('why.decay') : null].filter(Boolean);
  const list = (texts, attributes = {}) => texts.length ? el('ul', {class: 'small', ...attributes}, texts.map(text => el('li', {}, text))) : null;
  return el('details', {}, el('summary', {}, t('why.computation')),
    all.map(one => [
      el('p', {}, el('b', {}, one.label?.[language] ?? nameOf(one.name, language)), one.served ? ' ' + number(one.served.value, 4) : ''),
      el('ul', {class: 'steps'}, one.steps.map(step => el('li', {class: 'formula'}, write(step.formula),
        step.worked ? el('span', {class: 'said'}, write(step.worked)) : one.served && step.value !== null ? el('span', {class: 'said'}, '= ' + number(step.value, 4)) : null)))]).flat(),
    parts.length ? el('ul', {}, parts) : null,
    list([...legend, ...all.flatMap(one => one.remarks ?? []).map(write)]),
    report.notes?.length ? el('details', {}, el('summary', {}, t('why.notes')), list(report.notes, {lang: 'en'})) : null);
}

// nameOf is the name of a score, or of what has none an id as it is read.
const nameOf = (id, language) => scores.find(score => score.id === id)?.name[language] ?? plain(id);

// plain writes ids in a text as words, and numbers without zeros at their end.
const plain = text => text.replace(/(?<=\p{L}{2})_(?=\p{L}{2})/gu, ' ').replace(/(\d+)([.,])(\d*?)0+(?!\d)/g, (_, whole, point, rest) => rest ? whole + point + rest : whole);

// drawing has a line from the point to each place of which the report has the coordinates, as wide as its part of the largest.
function drawing(from, places, {t, number}) {
  const largest = Math.max(...places.map(one => one.part), 0) || 1;
  return places.filter(one => coordinates(one)).flatMap(one => {
    const to = coordinates(one);
    const label = (one.name ?? one.stop ?? '') + (one.headsign ? ' ' + t(one.basis === 'timetable' ? 'why.toward' : 'why.ends', {place: one.headsign}) : '') + '\n' + t('metres', {m: number(one.m)}) + (one.part > 0 && one.decay !== undefined && one.weight !== undefined ? ' · ' + number(one.part, 2) : '');
    return [feature('link', line(from, to), {weight: Math.max(0, one.part / largest)}), feature('place', point(to), {label: label.trim()})];
  });
}

const coordinates = one => one.at ?? (one.lat === undefined ? null : {lat: one.lat, lng: one.lng});

// word is the text of an id of the pipeline, or the id where there is no text for it.
const word = (prefix, id, t) => prefix + id in words ? t(prefix + id) : id.replaceAll('_', ' ');
