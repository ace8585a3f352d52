// The panel of demographics. In: a place with its geographies. Out: a table with bars for each category of the API's answer, in
// groups, with the intervals that the answer has as lines with ends. What the answer has not is listed in words.

import { besideNotes, besideOf, besideRow } from './beside.js';
import { bars, scaleOf } from './charts.js';
import { choice, geographies, reader } from './choice.js';
import { el } from './dom.js';
import { formats, known } from './formats.js';
import { keep } from './sheet.js';
import { demographics as vocabulary } from './vocabulary.js';
import { list } from './words.js';

// most is the highest level of geographies that have demographics.
const most = 40;

// radius is that of figures around a point, in metres: the default of the API.
const radius = 500;

// groups are the categories of both endpoints by what they are about, in the order of the panel.
export const groups = {
  people: ['population_total', 'population_age', 'marital_status', 'immigration', 'mother_tongue', 'official_language_knowledge'],
  households: ['households', 'household_composition', 'household_children', 'households_children'],
  housing: ['property_tenure', 'housing_type', 'housing_bedroom_count', 'housing_construction_year', 'housing_affordability'],
  income: ['income_stats', 'income', 'income_level'],
  education: ['education_level'],
  work: ['employment_status', 'commute_mode', 'commute_time'],
};

const grouped = new Set(Object.values(groups).flat());

// kindOf says how a variable is written: 'share', 'count', 'money' or 'ratio'. Around points variables have no type of their own.
export function kindOf(variable, category) {
  const type = variable.type ?? category.type;
  if (type === 'percent') return 'share';
  if (type === 'count' || variable.variable === 'popn_total') return 'count';
  return /income|^inc_/.test(variable.variable) ? 'money' : 'ratio';
}

const form = (format, kind) => ({ share: format.share, count: format.count, money: format.money, ratio: format.ratio })[kind];

// rowOf is a row of a table of bars. A value without an interval has none of the small figures. A bound is said in words, without a bar.
export function rowOf(variable, kind, format, t) {
  const write = form(format, kind), start = kind === 'share' ? x => format.score(100 * x) : write, { lower: low, upper: high } = variable.confidence_interval ?? {};
  const bounded = known(low) && known(high);
  return {
    label: variable.label, value: variable.open ? undefined : variable.value, low, high,
    text: variable.open ? t('open.' + variable.open, { value: write(variable.value) }) : write(variable.value),
    small: bounded ? t('interval', { low: start(low), high: write(high) }) : undefined,
  };
}

// parted divides the variables of a category into those drawn as bars, which have one scale, and those said in a line: bars are the
// shares, or without shares the amounts of money if there are several.
export function parted(category) {
  const kinds = category.variables.map(v => kindOf(v, category));
  const of = kind => category.variables.filter((_, i) => kinds[i] === kind);
  const drawn = ['share', 'money'].find(kind => of(kind).length > 1) ?? (of('share').length ? 'share' : undefined);
  return { kind: drawn, drawn: drawn ? of(drawn) : [], said: category.variables.filter((_, i) => kinds[i] !== drawn) };
}

// missingOf returns the labels of the categories that an answer could have for its country and has not.
export function missingOf(data, around) {
  const language = data.meta.language;
  return vocabulary[around ? 'around' : 'geography']
    .filter(c => (!c.country || c.country === data.meta.country_code) && !data.attributes[c.id])
    .map(c => c.name[language]);
}

// codeOf is the unit of a kind in files.
export const codeOf = (kind, country) => kind === 'money' ? (country === 'US' ? 'USD' : 'CAD') : kind;

// categoryOf returns a category: a line for each value that is no bar, the table, and its survey where that differs from others. data: of
// beside.js.
function categoryOf(id, category, vintage, format, data, context) {
  const { t } = context, { kind, drawn, said } = parted(category), code = kind => codeOf(kind, format.country), interval = '90 %';
  const part = el('div', { class: 'category' });
  const row = (v, kind) => besideRow({ ...rowOf(v, kind, format, t), code: code(kind) }, `${id}.${v.variable}`, data, form(format, kind), context);
  const lines = said.map(v => row(v, kindOf(v, category)));
  if (drawn.length) {
    const rows = drawn.map(v => row(v, kind));
    const max = scaleOf(rows, kind === 'share' ? 1 : Infinity);
    const end = kind === 'share' ? format.wholeShare(max) : format.money(max);
    part.append(bars({ caption: category.label, label: category.label, unit: t(kind === 'share' ? 'share' : 'amount'), rows, max, end, code: code(kind), interval, t }));
    const sum = rows.reduce((all, row) => all + row.value, 0);
    if (kind === 'share' && sum < 0.995) part.append(el('p', { class: 'note' }, t('demographics.partial', { share: format.share(sum) })));
  } else {
    part.append(el('h5', {}, category.label));
  }
  if (lines.length) {
    part.append(keep(el('dl', { class: 'facts' }, lines.map(row => el('div', {},
      el('dt', {}, row.label), el('dd', {}, row.text, row.small ? el('small', {}, ' ', row.small) : null, row.beside)))),
    { section: category.label, interval, rows: lines.flatMap(row => [row, ...(row.more ?? [])]) }));
  }
  if (vintage) part.append(el('p', { class: 'note' }, t('demographics.source', { vintage })));
  return part;
}

// notes says what the figures are of. beside: more notes.
function notes(data, around, format, t, beside) {
  const meta = data.meta, variables = Object.values(data.attributes).flatMap(c => c.variables);
  const said = [];
  if (around) said.push(t('demographics.around.note'));
  else {
    if (meta.data_vintage) said.push(t('demographics.source', { vintage: meta.data_vintage }));
    if (variables.some(v => v.confidence_interval)) said.push(t('demographics.whiskers', { level: format.wholeShare(meta.confidence_level) }));
    const unsure = variables.filter(v => !v.confidence_interval && !v.open).length;
    if (unsure) said.push(t('demographics.uncertain', { count: unsure }));
  }
  if (known(meta.coverage)) said.push(t('demographics.coverage', { share: format.share(meta.coverage) }));
  return el('ul', { class: 'notes' }, [...said, ...beside].map(text => el('li', {}, text)));
}

// contentOf returns an answer of either endpoint as elements; null, the answer 204, as a sentence. beside: the answer of besideOf, or null.
export function contentOf(answer, around, beside, context) {
  const { language, t } = context;
  if (!answer || !Object.keys(answer.data.attributes).length) return [el('p', { class: 'absent' }, t('demographics.none'))];
  const data = answer.data, format = formats(language, data.meta.country_code);
  const figures = Object.entries(data.attributes).flatMap(([id, category]) => category.variables.map(v => `${id}.${v.variable}`));
  const parts = [notes(data, around, format, t, besideNotes(beside, figures, context))];
  const rest = Object.keys(data.attributes).filter(id => !grouped.has(id));
  for (const [group, ids] of [...Object.entries(groups), ['other', rest]]) {
    const there = ids.filter(id => data.attributes[id]);
    if (!there.length) continue;
    parts.push(el('details', { class: 'group', open: parts.length === 1 }, el('summary', {}, el('h4', {}, t('demographics.group.' + group))),
      there.map(id => categoryOf(id, data.attributes[id], data.meta.vintages?.[id], format, beside, context))));
  }
  const missing = missingOf(data, around);
  if (missing.length) parts.push(el('p', { class: 'absent' }, t('demographics.missing', { list: list(language, missing) })));
  return parts;
}

// requestOf is path and parameters of the demographics of a geography, or around a point.
export const requestOf = (place, language) =>
  place.geog_id ? ['demographics/' + place.geog_id, { language }] : ['demographics', { lat: place.lat, lng: place.lng, language }];

// ask asks the demographics of a geography. Of which one they are shown for a point is not known before it is known what is around it.
export const ask = (place, { api, language }) => place.geog_id ? api.get(...requestOf(place, language)) : null;

// show fills an element with the panel.
export async function show(element, place, context) {
  const { api, language, t, onError } = context;
  const point = place.geog_id && !place.at ? null : { lat: place.at?.lat ?? place.lat, lng: place.at?.lng ?? place.lng };
  const options = geographies({ geographies: place.geographies.filter(g => g.level <= most) }, language);
  if (point) options.push({ value: '', label: t('demographics.around', { count: radius }) });
  const body = el('div', { class: 'answer', 'aria-live': 'polite' });
  const read = reader();
  const get = id => api.get(...requestOf(id ? { geog_id: id } : point, language));
  const choose = id => read(() => Promise.all([get(id), besideOf(id, context)]), ([answer, beside]) => body.replaceChildren(...contentOf(answer, !id, beside, context)), error => onError(body, error));
  const chosen = place.geog_id ?? await firstKnown(options, get);
  element.replaceChildren(el('h3', {}, t('demographics.title')), choice({ label: t('demographics.of'), options, chosen, onchange: choose }), body);
  await choose(chosen);
}

// firstKnown is the smallest geography around a point of which there are demographics; the first option where there is none.
async function firstKnown(options, get) {
  for (const { value } of options) {
    if (value && await get(value)) return value;
  }
  return options[0].value;
}
