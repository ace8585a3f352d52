// The panel of two places side by side: scores, demographics and market. In: the place, and context.compare.other, the second one.
// Out: tables with both. Scores have no known error: their difference is a number. Demographics have intervals: a difference is put in
// words only where those of the two places do not overlap.

import { pairs, sides as letters } from './charts.js';
import { kindOf, requestOf, rowOf } from './demographics.js';
import { el } from './dom.js';
import { formats, known } from './formats.js';
import { withMarket } from './market.js';
import { ask as askScores } from './scores.js';
import { scores as vocabulary } from './vocabulary.js';

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

// scoreRows pairs the scores of two answers, {name: {value, text}}; one that both lack has no row.
export function scoreRows(first, second, language, format, t) {
  const side = score => (score ? { value: tenth(score.value), text: format.score(tenth(score.value)) } : { text: t('missing') });
  return vocabulary.filter(({ id }) => first[id] || second[id]).map(({ id, name }) => {
    const sides = [side(first[id]), side(second[id])];
    return { label: name[language], sides, said: sides.every(s => known(s.value)) ? t('compare.points', { difference: format.change(sides[1].value - sides[0].value) }) : '' };
  });
}

// demographicRows pairs the variables of a category that either of two answers has. Amounts of two countries are in two currencies,
// so that nothing is said of their difference.
export function demographicRows(id, answers, language, t) {
  const found = answers.map(answer => answer?.data.attributes[id]);
  const forms = answers.map(answer => formats(language, answer?.data.meta.country_code, true));
  const countries = new Set(answers.map(answer => answer?.data.meta.country_code).filter(Boolean));
  const ids = [...new Set(found.flatMap(category => category?.variables.map(v => v.variable) ?? []))];
  return ids.map(variable => {
    const both = found.map(category => category?.variables.find(v => v.variable === variable));
    const kind = kindOf(both[0] ?? both[1], found[0] ?? found[1]);
    const sides = both.map((v, i) => (v ? rowOf(v, kind, forms[i], t) : { text: t('missing') }));
    const said = kind === 'money' && countries.size > 1 ? '' : verdict(sides[0], sides[1], kind, t);
    return { label: (both[0] ?? both[1]).label, sides, said, kind };
  });
}

// marketRows pairs the statistics of two answers.
export function marketRows(answers, language, t) {
  const format = formats(language, 'US');
  const period = answer => answer?.data.property_types[type]?.[interval];
  const rows = [
    ['market.price', 'money', p => p.interval_wide.sales_price?.median], ['market.sold', 'count', p => p.interval_wide.homes_sold_count],
    ['market.days', 'decimal', p => p.interval_wide.median_days_to_sell], ['market.active', 'count', p => p.point_in_time.active_listings_count],
  ];
  return rows.map(([key, form, read]) => ({
    label: t(key), said: '',
    sides: answers.map(answer => {
      const value = period(answer) && read(period(answer));
      return known(value) ? { value, text: format[form](value) } : { text: t('missing') };
    }),
  })).filter(row => row.sides.some(side => known(side.value)));
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

// contentOf returns the tables of two places.
export function contentOf(both, names, { language, t }) {
  const format = formats(language), parts = [];
  const table = (caption, label, rows, max) => rows.length && parts.push(pairs({ caption, label, names, rows, max, t }));
  table(t('scores.title'), t('change.score'), scoreRows(both[0].scores, both[1].scores, language, format, t), 5);
  const people = both.map(b => b.people);
  const level = people.map(answer => answer?.data.meta.confidence_level).find(known);
  if (level) parts.push(el('h4', {}, t('demographics.title')), el('p', { class: 'note' }, t('compare.rule', { level: format.wholeShare(level) })));
  const countries = new Set(people.map(answer => answer?.data.meta.country_code).filter(Boolean));
  if (countries.size > 1) parts.push(el('p', { class: 'note' }, t('compare.money')));
  for (const id of categories) {
    const rows = demographicRows(id, people, language, t), label = people.map(answer => answer?.data.attributes[id]?.label).find(Boolean);
    const shares = rows.filter(row => row.kind === 'share'), top = Math.max(0, ...shares.flatMap(row => row.sides.flatMap(s => [s.value, s.high])).filter(known));
    if (shares.length) table(label, label, shares, Math.min(1, top || 1));
    else table(label, label, rows);
  }
  const market = marketRows(both.map(b => b.market), language, t);
  if (market.length) {
    parts.push(el('h4', {}, t('market.title')), el('p', { class: 'note' }, t('compare.market', { type: t('market.type.' + type), period: t('market.rolling.' + interval) })));
    table(t('market.title'), t('market.interval'), market);
  }
  return parts;
}

// show fills an element with the panel.
export async function show(element, place, context) {
  const { language, t, compare } = context;
  element.replaceChildren(el('h3', {}, t('compare.title')));
  const other = compare.other;
  if (!other) {
    element.append(el('p', {}, t('compare.none')), el('button', { type: 'button', onclick: () => compare.pick() }, t('compare.choose')));
    return;
  }
  const names = [place, other].map(one => nameOf(one, language, t));
  element.append(el('ul', { class: 'sides' }, names.map((name, i) => el('li', {}, el('b', {}, letters[i]), ' ', name))),
    el('p', { class: 'buttons' }, el('button', { type: 'button', onclick: () => compare.pick() }, t('compare.again')), ' ',
      el('button', { type: 'button', onclick: () => compare.clear() }, t('compare.end'))));
  const both = await Promise.all([place, other].map(one => asked(one, context)));
  element.append(...contentOf(both, names, context));
}
