// The panel of market statistics. In: a place with its geographies. Out: what the latest interval says, and charts of the months,
// quarters or moving intervals, of one type of property. Intervals without figures are said in words and are not drawn.

import { besideNotes, besideOf, besideRow } from './beside.js';
import { bars, over, scaleOf } from './charts.js';
import { choice, geographies, radios, reader } from './choice.js';
import { el } from './dom.js';
import { formats, known } from './formats.js';
import { list } from './words.js';

// types are those of the API; countsAlone are those of which it has counts alone.
export const types = ['single_family', 'condo_townhome', 'multi_family_under_5_units', 'multi_family_5_plus_units', 'all_residential_properties',
  'residential_income_properties', 'vacant_land', 'commercial', 'other_and_unclassified'];
const countsAlone = new Set(['commercial', 'other_and_unclassified']);

// levels of geographies that have statistics, as of the API.
const least = 10, most = 40, ofCounties = 37, ofStates = 60;

// intervalsOf returns the intervals of a kind that the API has, oldest first: the latest 24 months, all quarters, or those that move
// with the day in the order of the API.
export function intervalsOf(kind, all) {
  if (kind === 'months') return all.filter(code => /^\d{4}-\d{2}$/.test(code)).sort().slice(-24);
  if (kind === 'quarters') return all.filter(code => /^\d{4}Q\d$/.test(code)).sort();
  return all.filter(code => !/^\d{4}/.test(code));
}

// nameOf writes an interval: long in tables and texts, short on axes.
export function nameOf(code, format, t, short = false) {
  const quarter = /^(\d{4})Q(\d)$/.exec(code);
  if (quarter) return t('market.quarter', { quarter: quarter[2], year: quarter[1] });
  if (/^\d{4}-\d{2}$/.test(code)) return short ? format.shortMonth(code + '-01') : format.month(code + '-01');
  return t('market.rolling.' + code);
}

// A metric: the key of its words, how it is drawn and written, and where it is in the statistics of an interval.
const metrics = [
  { key: 'market.price', kind: 'line', form: 'money', code: 'USD', axis: 'shortMoney', read: p => spread(p.interval_wide.sales_price) },
  { key: 'market.sold', kind: 'columns', form: 'count', count: true, read: p => ({ value: p.interval_wide.homes_sold_count }) },
  { key: 'market.new', kind: 'columns', form: 'count', count: true, read: p => ({ value: p.interval_wide.new_listings_count }) },
  { key: 'market.active', kind: 'columns', form: 'count', count: true, read: p => ({ value: p.point_in_time.active_listings_count }) },
  { key: 'market.asking', kind: 'line', form: 'money', code: 'USD', axis: 'shortMoney', read: p => spread(p.point_in_time.asking_price) },
  { key: 'market.days', kind: 'line', form: 'decimal', code: 'days', read: p => days(p.interval_wide) },
  { key: 'market.absorption', kind: 'line', form: 'share', code: 'share', axis: 'wholeShare', read: p => ({ value: p.interval_wide.absorption_rate }) },
];

const spread = prices => ({ value: prices?.median, low: prices?.percentiles?.['25'], high: prices?.percentiles?.['75'] });
const days = wide => ({ value: wide.median_days_to_sell, low: wide.days_to_sell_percentiles?.['25'], high: wide.days_to_sell_percentiles?.['75'] });

// pointsOf returns the points of a metric over intervals. An interval that the answer has not, or in which the metric cannot be had,
// has no value.
export function pointsOf(metric, periods, codes, format, t) {
  const write = format[metric.form];
  return codes.map(code => {
    const found = periods[code] ? metric.read(periods[code]) : {};
    return {
      ...found, label: nameOf(code, format, t), short: nameOf(code, format, t, true),
      text: known(found.value) ? write(found.value) : t('missing'),
      small: known(found.low) && known(found.high) ? t('interval', { low: write(found.low), high: write(found.high) }) : undefined,
    };
  });
}

// chartOf draws a metric: over time, or for moving intervals, which overlap, as bars.
function chartOf(metric, kind, periods, codes, format, t) {
  const points = pointsOf(metric, periods, codes, format, t), caption = t(metric.key), code = metric.code ?? 'count', interval = 'p25 to p75';
  const quartiles = points.some(p => known(p.low)) ? t('chart.quartiles') : null;
  if (kind === 'rolling') {
    const max = scaleOf(points, metric.form === 'share' ? 1 : Infinity);
    const end = points.some(p => known(p.value)) ? format[metric.axis ?? metric.form](max) : null;
    return el('div', { class: 'category' }, bars({ caption, label: t('market.interval'), unit: t('value'), rows: points, max, end, code, interval, t }), quartiles ? el('p', { class: 'legend' }, quartiles) : null);
  }
  return over({ caption, kind: metric.kind, points, form: format[metric.form], shortForm: format[metric.axis ?? metric.form], note: quartiles, label: t('market.interval'), unit: caption, code, interval, t });
}

// factsOf says what the statistics of an interval are; what is absent is left out, and counts of 0 are said.
export function factsOf(period, format, t) {
  const wide = period.interval_wide, now = period.point_in_time, facts = [];
  const add = (key, value, write) => { if (known(value)) facts.push([t(key), write(value)]); };
  if (wide.market_conditions?.assessment) facts.push([t('market.assessment'), t('market.assessment.' + wide.market_conditions.assessment)]);
  add('market.price', wide.sales_price?.median, format.money);
  add('market.sold', wide.homes_sold_count, format.count);
  add('market.new', wide.new_listings_count, format.count);
  add('market.active', now.active_listings_count, format.count);
  add('market.asking', now.asking_price?.median, format.money);
  add('market.difference', wide.asking_to_sales_price?.median_percent_difference, format.signedShare);
  add('market.days', wide.median_days_to_sell, format.decimal);
  add('market.absorption', wide.absorption_rate, format.share);
  return facts;
}

// The figures of all homes over the last twelve months by their ids, with the key of their words, their form and unit.
const year = { 'market.sale_median': ['market.price', 'money', 'USD'], 'market.homes_sold': ['market.sold', 'count', 'count'], 'market.days_to_sell_median': ['market.days', 'decimal', 'days'], 'market.active_listings': ['market.active', 'count', 'count'] };

// besidePart has the year of a geography beside that of what contains it; nothing where it has none.
function besidePart(data, format, context) {
  const { t } = context, rows = Object.entries(year).filter(([id]) => data?.figures[id]?.own).map(([id, [key, form, code]]) => {
    const { value } = data.figures[id].own;
    return { caption: t(key), ...besideRow({ label: t('market.rolling.12m'), value, text: format[form](value), code }, id, data, format[form], context) };
  });
  if (!rows.length) return [];
  return [el('h4', {}, t('market.beside')), ...besideNotes(data, Object.keys(year), context).map(text => el('p', { class: 'note' }, text)),
    ...rows.map(row => bars({ caption: row.caption, label: t('market.interval'), unit: t('value'), rows: [row], max: scaleOf([row, { value: row.median }]), t }))];
}

// contentOf returns the answer about one type as elements. beside: the answer of besideOf, or null.
export function contentOf(answer, { type, kind, codes, updated }, beside, context) {
  const { language, t } = context, format = formats(language, 'US'), periods = answer.data.property_types[type] ?? {};
  const lastDay = updated, latest = '30d';
  const parts = [el('p', { class: 'note' }, t('market.about', { type: t('market.type.' + type), date: format.date(lastDay) }))];
  if (countsAlone.has(type)) parts.push(el('p', { class: 'note' }, t('market.counts')));
  if (periods[latest]) {
    parts.push(el('h4', {}, t('market.latest', { period: nameOf(latest, format, t) })),
      el('dl', { class: 'facts' }, factsOf(periods[latest], format, t).map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value)))));
  }
  const missing = (answer.meta.missing_intervals[type] ?? []).filter(code => codes.includes(code) || code === latest);
  if (missing.length && !countsAlone.has(type)) {
    const said = [...new Set(missing)].map(code => nameOf(code, format, t));
    parts.push(el('p', { class: 'absent' }, t('market.missing', { count: said.length, list: list(language, said) })));
  }
  const there = metrics.filter(m => m.count || !countsAlone.has(type));
  parts.push(...there.map(metric => chartOf(metric, kind, periods, codes, format, t)), ...besidePart(beside, format, context));
  return parts;
}

// withMarket are the geographies around a place that may have statistics, the smallest first: of the levels that have some, in a state
// with listings. What is larger than a county can be in several states, so that the one around the place says nothing of it.
// listings are the geog_ids of these states.
export function withMarket(place, listings) {
  const around = place.geographies ?? [], state = around.find(g => g.level === ofStates);
  if (!listings.length || around[0]?.country?.en === 'Canada') return [];
  return around.filter(g => g.level >= least && g.level <= most && (g.level > ofCounties || !state || listings.includes(state.geog_id)));
}

const statusOf = api => api.get('market-stats/status');

// ask asks on which day the statistics are, where there are some.
export const ask = (place, { api, release }) => release.listings.length ? statusOf(api) : null;

// show fills an element with the panel.
export async function show(element, place, context) {
  const { api, language, t, onError, release } = context;
  const options = geographies({ ...place, geographies: withMarket(place, release.listings) }, language);
  element.replaceChildren(el('h3', {}, t('market.title')));
  if (!options.length) {
    element.append(el('p', { class: 'absent' }, t('market.none')));
    return;
  }
  const status = await statusOf(api);
  const all = status.data.intervals, updated = status.data.last_updated_on;
  const state = { geography: options.some(o => o.value === place.geog_id) ? place.geog_id : options[0].value, type: types[0], kind: 'months' };
  const body = el('div', { class: 'answer', 'aria-live': 'polite' });
  const read = reader();
  const ask = () => {
    const codes = intervalsOf(state.kind, all), asked = codes.includes('30d') ? codes : ['30d', ...codes];
    return read(() => Promise.all([api.get('market-stats/' + state.geography, { property_types: state.type, intervals: asked.join(',') }), besideOf(state.geography, context)]),
      ([answer, beside]) => body.replaceChildren(...contentOf(answer, { ...state, codes, updated }, beside, context)),
      error => (error.status === 404 ? body.replaceChildren(el('p', { class: 'absent' }, t('market.none'))) : onError(body, error)));
  };
  const change = key => value => { state[key] = value; return ask(); };
  const format = formats(language, 'US');
  element.append(
    choice({ label: t('market.of'), options, chosen: state.geography, onchange: change('geography') }),
    choice({ label: t('market.type'), options: types.map(value => ({ value, label: t('market.type.' + value) })), chosen: state.type, onchange: change('type') }),
    radios({ label: t('market.kinds'), options: ['months', 'quarters', 'rolling'].map(value => ({ value, label: t('market.kind.' + value, { date: format.date(updated) }) })), chosen: state.kind, onchange: change('kind') }),
    body);
  await ask();
}
