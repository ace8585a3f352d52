// The panel of two to six places side by side: scores, demographics and market. In: the place, and context.compare.others. Out: tables
// with all. Scores have no known error: their difference is a number. Demographics have intervals: a difference is put in words, and the
// highest and lowest of several marked, only where intervals do not overlap.

import { matrix, multiples, pairs, sides as letters } from './charts.js';
import { radios } from './choice.js';
import { codeOf, kindOf, requestOf, rowOf } from './demographics.js';
import { el } from './dom.js';
import { formats, known } from './formats.js';
import { withMarket } from './market.js';
import { ask as askScores } from './scores.js';
import { minutesOf, wayOf } from './travel.js';
import { scores as vocabulary } from './vocabulary.js';
import { toWork } from './work.js';

// categories are those of demographics that are compared, in this order.
const categories = ['population_total', 'income_stats', 'property_tenure', 'household_composition', 'households_children', 'housing_type', 'education_level', 'commute_mode'];

// most is the highest level of areas that can be compared.
const most = 40;

// The market that is compared: a type over an interval.
const type = 'all_residential_properties', interval = '12m';

const words = { share: 'compare.larger', count: 'compare.more', money: 'compare.higher', ratio: 'compare.higher' };

// verdict says of two rows of one variable which is larger, if their intervals say so.
export function verdict(a, b, kind, t) {
  if (!known(a.value) || !known(b.value)) return '';
  if (![a.low, a.high, b.low, b.high].every(known)) return t('compare.unknown');
  if (a.low > b.high) return t(words[kind], { side: letters[0] });
  if (b.low > a.high) return t(words[kind], { side: letters[1] });
  return t('compare.overlap');
}

// tenth is a score as it is shown, so that differences are those of the numbers that one sees.
const tenth = text => Math.round(Number(text) * 10) / 10;

// marksOf says which of several values is the highest and which the lowest: null of the others, where several are equal, and, of values
// that are uncertain, unless their intervals say so.
export function marksOf(sides, uncertain = false) {
  const marks = sides.map(() => null), there = sides.filter(side => known(side.value));
  if (there.length < 2 || uncertain && !there.every(side => known(side.low) && known(side.high))) return marks;
  const low = side => uncertain ? side.low : side.value, high = side => uncertain ? side.high : side.value;
  sides.forEach((side, i) => {
    const others = there.filter(one => one !== side);
    if (!known(side.value)) return;
    if (others.every(one => low(side) > high(one))) marks[i] = 'highest';
    if (others.every(one => high(side) < low(one))) marks[i] = 'lowest';
  });
  return marks;
}

// scoreRows pairs the scores of answers, {name: {value, text}}; one that all lack has no row.
export function scoreRows(all, language, format, t) {
  const side = score => (score ? { value: tenth(score.value), text: format.score(tenth(score.value)) } : { text: t('missing') });
  return vocabulary.filter(({ id }) => all.some(one => one[id])).map(({ id, name }) => {
    const sides = all.map(one => side(one[id])), two = sides.length === 2 && sides.every(s => known(s.value));
    return { label: name[language], sides, code: 'score_0_5', marks: marksOf(sides), said: two ? t('compare.points', { difference: format.change(sides[1].value - sides[0].value) }) : '' };
  });
}

// demographicRows pairs the variables of a category that any of the answers has. Amounts of two countries are in two currencies,
// so that nothing is said of their difference.
export function demographicRows(id, answers, language, t) {
  const found = answers.map(answer => answer?.data.attributes[id]);
  const forms = answers.map(answer => formats(language, answer?.data.meta.country_code, true));
  const countries = new Set(answers.map(answer => answer?.data.meta.country_code).filter(Boolean));
  const ids = [...new Set(found.flatMap(category => category?.variables.map(v => v.variable) ?? []))];
  return ids.map(variable => {
    const all = found.map(category => category?.variables.find(v => v.variable === variable)), first = all.find(Boolean);
    const kind = kindOf(first, found[all.indexOf(first)]), abroad = kind === 'money' && countries.size > 1;
    const sides = all.map((v, i) => (v ? { ...rowOf(v, kind, forms[i], t), code: codeOf(kind, forms[i].country) } : { text: t('missing') }));
    const said = abroad || sides.length > 2 ? '' : verdict(sides[0], sides[1], kind, t);
    return { label: first.label, sides, said, kind, code: kind, marks: abroad ? [] : marksOf(sides, true) };
  });
}

// marketRows pairs the statistics of answers.
export function marketRows(answers, language, t) {
  const format = formats(language, 'US');
  const period = answer => answer?.data.property_types[type]?.[interval];
  const rows = [
    ['market.price', 'money', p => p.interval_wide.sales_price?.median], ['market.sold', 'count', p => p.interval_wide.homes_sold_count],
    ['market.days', 'decimal', p => p.interval_wide.median_days_to_sell], ['market.active', 'count', p => p.point_in_time.active_listings_count],
  ];
  return rows.map(([key, form, read]) => {
    const sides = answers.map(answer => {
      const value = period(answer) && read(period(answer));
      return known(value) ? { value, text: format[form](value) } : { text: t('missing') };
    });
    return { label: t(key), said: '', code: { money: 'USD', decimal: 'days' }[form] ?? form, marks: marksOf(sides), sides };
  }).filter(row => row.sides.some(side => known(side.value)));
}

// commuteRows has the minutes to work of places, nothing where none is known of.
export function commuteRows(answers, t) {
  const found = answers.map(answer => answer?.data.results[0]), mode = answers.find(Boolean)?.data.travel.mode;
  const sides = found.map(one => (one ? { value: one.minutes ?? undefined, text: minutesOf(one, t) } : { text: t('missing') }));
  return mode ? [{ label: t('travel.mode.' + mode), sides, said: '', code: 'minutes', marks: marksOf(sides) }] : [];
}

// nameOf is the name of a place; of a point, that it is one in its smallest geography.
export function nameOf(place, language, t) {
  const smallest = place.geographies?.[0]?.name[language];
  if (place.geog_id) return place.name?.[language] ?? smallest ?? place.geog_id;
  return smallest ? t('compare.point', { name: smallest }) : t('compare.point.alone', { lat: place.lat.toFixed(4), lng: place.lng.toFixed(4) });
}

// asked are the answers about a place, null where there are none: what the account may not ask or the place has not.
async function asked(place, { api, language, agrees, release }) {
  const geography = place.geog_id ? place : place.geographies[0];
  if (geography?.level > most) return { scores: {}, people: null, market: null };
  const without = error => { if ([401, 403, 404].includes(error.status) && error.kind !== 'session_ended') return null; throw error; };
  const [scores, people, market] = await Promise.all([
    agrees('scores') ? askScores(place, { api, language }) : null,
    agrees('demographics') ? api.get(...requestOf(geography ?? place, language)) : null,
    agrees('market_stats') && withMarket(place, release.listings).some(g => g.geog_id === geography.geog_id) ? api.get('market-stats/' + geography.geog_id, { property_types: type, intervals: interval }) : null,
  ].map(one => Promise.resolve(one).catch(without)));
  return { scores: scores?.data.scores ?? scores?.data.location ?? {}, people, market };
}

// ways are how the places are shown: two beside each other, several as a table or as small charts.
const ways = { pairs, matrix, multiples };

// contentOf returns the tables of places. way: one of ways.
export function contentOf(all, names, way, { language, t }) {
  const format = formats(language), parts = [];
  const table = (caption, label, rows, max) => rows.length && parts.push(ways[way]({ caption, label, names, rows, max, t }));
  table(t('scores.title'), t('change.score'), scoreRows(all.map(one => one.scores), language, format, t), 5);
  table(t('travel.work.to'), t('travel.minutes'), commuteRows(all.map(one => one.commute), t));
  const people = all.map(one => one.people);
  const level = people.map(answer => answer?.data.meta.confidence_level).find(known);
  if (level) parts.push(el('h4', {}, t('demographics.title')), el('p', { class: 'note' }, t(way === 'pairs' ? 'compare.rule' : 'compare.marked', { level: format.wholeShare(level) })));
  const countries = new Set(people.map(answer => answer?.data.meta.country_code).filter(Boolean));
  if (countries.size > 1) parts.push(el('p', { class: 'note' }, t('compare.money')));
  for (const id of categories) {
    const rows = demographicRows(id, people, language, t), label = people.map(answer => answer?.data.attributes[id]?.label).find(Boolean);
    const shares = rows.filter(row => row.kind === 'share'), top = Math.max(0, ...shares.flatMap(row => row.sides.flatMap(s => [s.value, s.high])).filter(known));
    if (shares.length) table(label, label, shares, Math.min(1, top || 1));
    else table(label, label, rows);
  }
  const market = marketRows(all.map(one => one.market), language, t);
  if (market.length) {
    parts.push(el('h4', {}, t('market.title')), el('p', { class: 'note' }, t('compare.market', { type: t('market.type.' + type), period: t('market.rolling.' + interval) })));
    table(t('market.title'), t('market.interval'), market);
  }
  return parts;
}

let several = 'multiples'; // how several places were shown last

// show fills an element with the panel.
export async function show(element, place, context) {
  const { language, t, compare } = context, others = compare.others;
  element.replaceChildren(el('h3', {}, t(others.length > 1 ? 'compare.several' : 'compare.title')));
  if (!others.length) {
    element.append(el('p', {}, t('compare.none')), el('button', { type: 'button', onclick: () => compare.pick() }, t('compare.choose')));
    return;
  }
  const places = [place, ...others], names = places.map(one => nameOf(one, language, t));
  const remove = i => el('button', { type: 'button', class: 'why', 'aria-label': t('compare.remove.label', { name: names[i] }), onclick: () => compare.remove(i - 1) }, t('compare.remove'));
  element.append(el('ul', { class: 'sides' }, names.map((name, i) => el('li', {}, el('b', {}, letters[i]), ' ', name, ' ', i ? remove(i) : null))),
    el('p', { class: 'buttons' }, places.length < letters.length ? el('button', { type: 'button', onclick: () => compare.pick() }, t('compare.again')) : null, ' ',
      el('button', { type: 'button', onclick: () => compare.clear() }, t('compare.end'))));
  const commutes = toWork(places, wayOf(context.view, context.release?.modes), context);
  const all = await Promise.all(places.map(async (one, i) => ({ ...await asked(one, context), commute: (await commutes)[i] }))), body = el('div');
  const fill = way => body.replaceChildren(...contentOf(all, names, way, context));
  if (places.length > 2) {
    element.append(radios({ label: t('compare.as'), options: ['multiples', 'matrix'].map(value => ({ value, label: t('compare.as.' + value) })), chosen: several, onchange: way => fill(several = way) }));
  }
  fill(places.length > 2 ? several : 'pairs');
  element.append(body);
}
