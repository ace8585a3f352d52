// Charts of the panels. Bars are drawn in the cells of a table, which a screen reader reads as a table; what is drawn over time
// has its table below it. Drawings are stretched to the room they have, so that they need no width; their texts are HTML. What is
// absent is not drawn, and the table says so.

import { el, svg } from './dom.js';
import { ceiling, known } from './formats.js';
import { keep } from './sheet.js';

const width = 100, height = 20;

let made = 0;

// unique returns an id that no other chart has.
const unique = () => `chart-${++made}`;

// drawing is an SVG of 100 by height units that fills its place. It is hidden from screen readers: a table has the same.
const drawing = (name, tall, ...parts) =>
  svg('svg', { class: name, viewBox: `0 0 ${width} ${tall}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' }, ...parts);

// A whisker is a line with ends, from low to high, which keeps its thickness however the drawing is stretched.
function whisker(low, high, middle, half, across) {
  const ends = across
    ? `M${low} ${middle}H${high}M${low} ${middle - half}V${middle + half}M${high} ${middle - half}V${middle + half}`
    : `M${middle} ${low}V${high}M${middle - half} ${low}H${middle + half}M${middle - half} ${high}H${middle + half}`;
  return svg('path', { class: 'whisker', d: ends });
}

const round = x => Math.round(x * 100) / 100;

// bar draws a value on a scale from 0 to max, with the interval from low to high if both are known, and the median of others as a broken
// line. An unknown value draws nothing.
export function bar({ value, low, high, median, max, mark = 'bar' }) {
  const at = x => round(width * Math.min(Math.max(x / max, 0), 1));
  const parts = [svg('rect', { class: 'track', x: 0, y: 5, width, height: height - 10 })];
  if (known(value)) parts.push(svg('rect', { class: mark, x: 0, y: 3, width: at(value), height: height - 6 }));
  if (known(low) && known(high)) parts.push(whisker(at(low), at(high), height / 2, 6, true));
  if (known(median)) parts.push(svg('path', { class: 'median', d: `M${at(median)} 0V${height}` }));
  return drawing('bar-drawing', height, ...parts);
}

// scaleOf is where the bars of rows end: a round number that no value or upper end exceeds.
export const scaleOf = (rows, most = Infinity) =>
  Math.min(most, ceiling(Math.max(0, ...rows.flatMap(row => [row.value, row.high]).filter(known))));

// bars returns a table with a bar in each row.
//   caption, label, unit: texts of the table, its first column and its second
//   rows: {label, value, low, high, text, small, after}: the value as written, its interval as written, an element after the label;
//         a row without a value has a text that says so; beside, median, more: of beside.js
//   max: the end of the bars, and end: that end as written; name: the classes of the table; code, interval: of sheet.js
export function bars({ caption, label, unit, rows, max, end, name = 'bars', code, interval, t }) {
  return keep(el('table', { class: name },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, label)),
      el('th', { scope: 'col' }, el('span', { class: 'unseen' }, unit + '. ', end ? t('chart.axis', { max: end }) : ''),
        end ? el('span', { class: 'axis', 'aria-hidden': 'true' }, el('span', {}, '0'), el('span', {}, end)) : null))),
    el('tbody', {}, rows.map(row => el('tr', {},
      el('th', { scope: 'row' }, row.label, row.after),
      el('td', {}, el('div', { class: 'measure' }, known(row.value) ? bar({ ...row, max }) : null,
        el('span', { class: known(row.value) ? 'number' : 'number absent' }, row.text, row.small ? el('small', {}, ' ', row.small) : null)), row.beside))))),
  { section: caption, code, interval, rows: rows.flatMap(row => [row, ...(row.more ?? [])]) });
}

// over returns a figure of one value for each interval of time, oldest first, as columns or as points with a line between neighbours
// that are known.
//   caption: its title; kind: 'columns' or 'line'
//   points: {label, short, value, low, high, text, small}; those without a value are hatched
//   form: writes a value, shortForm: one of the axis; note: a text on what the whiskers are
//   label, unit: the heads of the two columns of its table
export function over({ caption, kind, points, form, shortForm, note, label, unit, code, interval, t }) {
  const id = unique();
  const values = points.flatMap(p => [p.value, p.high]).filter(known);
  const figure = keep(el('figure', { class: 'over', 'aria-labelledby': id }, el('figcaption', { id }, caption)), { section: caption, code, interval, rows: points });
  if (!values.length) {
    figure.append(el('p', { class: 'absent' }, t('chart.none')));
    return figure;
  }
  const tall = 100, max = ceiling(Math.max(...values)), step = width / points.length;
  const y = v => round(tall - tall * v / max), x = i => round(step * (i + 0.5));
  const parts = [0.5, 1].map(share => svg('line', { class: 'grid', x1: 0, x2: width, y1: y(max * share), y2: y(max * share) }));
  parts.push(svg('line', { class: 'base', x1: 0, x2: width, y1: tall, y2: tall }));
  points.forEach((p, i) => { if (!known(p.value)) parts.push(hatch(x(i) - step * 0.3, step * 0.6, tall)); });
  if (kind === 'columns') {
    points.forEach((p, i) => {
      if (known(p.value)) parts.push(svg('rect', { class: 'bar', x: round(x(i) - step * 0.35), width: round(step * 0.7), y: y(p.value), height: round(tall - y(p.value)) }));
    });
  } else {
    let path = '', before = false;
    points.forEach((p, i) => {
      if (known(p.value)) path += `${before ? 'L' : 'M'}${x(i)} ${y(p.value)}`;
      before = known(p.value);
    });
    parts.push(svg('path', { class: 'line', d: path }));
    points.forEach((p, i) => {
      if (known(p.low) && known(p.high)) parts.push(whisker(y(p.low), y(p.high), x(i), Math.min(1, step * 0.2), false));
    });
    points.forEach((p, i) => { if (known(p.value)) parts.push(svg('path', { class: 'dot', d: `M${x(i)} ${y(p.value)}h0` })); });
  }
  const gaps = points.some(p => !known(p.value));
  figure.append(
    el('p', { class: 'summary' }, summary(points, form, t)),
    el('div', { class: 'plot', 'aria-hidden': 'true' },
      el('div', { class: 'scale' }, el('span', {}, shortForm(max)), el('span', {}, shortForm(max / 2)), el('span', {}, '0')),
      drawing('over-drawing', tall, ...parts),
      el('div', { class: 'ends' }, el('span', {}, points[0].short), el('span', {}, points.at(-1).short))),
    el('p', { class: 'legend' }, [note, gaps ? t('chart.gap') : null].filter(Boolean).join(' · ')),
    el('details', {}, el('summary', {}, t('chart.table')), table({ caption, label, unit, rows: points, t })));
  return figure;
}

// hatch is what stands where there is no figure.
function hatch(left, wide, tall) {
  let d = '';
  for (let y = 6; y < tall; y += 12) d += `M${round(left)} ${y}L${round(left + wide)} ${y - 6}`;
  return svg('path', { class: 'hatch', d });
}

// summary says the highest, the lowest and the latest value.
function summary(points, form, t) {
  const there = points.filter(p => known(p.value));
  const best = (better) => there.reduce((a, b) => (better(b.value, a.value) ? b : a));
  const one = (key, p) => t(key, { value: form(p.value), label: p.label });
  const said = [one('chart.last', there.at(-1))];
  if (there.length > 1) said.push(one('chart.low', best((a, b) => a < b)), one('chart.high', best((a, b) => a > b)));
  return said.join(' · ');
}

// table returns rows as a table of two columns.
export function table({ caption, label, unit, rows, t }) {
  return el('table', { class: 'plain' },
    el('caption', { class: 'unseen' }, caption),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, label), el('th', { scope: 'col' }, unit))),
    el('tbody', {}, rows.map(row => el('tr', {}, el('th', { scope: 'row' }, row.label),
      el('td', { class: known(row.value) ? null : 'absent' }, known(row.value) ? row.text : t('missing'), row.small ? el('small', {}, ' ', row.small) : null)))));
}

// sides are the letters by which places are called that are side by side.
export const sides = ['A', 'B', 'C', 'D', 'E', 'F'];

// pairs returns a table with the values of two places side by side and what is said of their difference.
//   names: of the two places; rows: {label, sides: [{value, low, high, text, small}, …], said}; max: the end of the bars, of all rows, or
//   that of each row if it is absent
export function pairs({ caption, label, names, rows, max, t }) {
  const cell = (one, end) => el('td', {}, el('div', { class: known(one.value) ? 'number' : 'number absent' }, one.text, one.small ? el('small', {}, ' ', one.small) : null),
    known(one.value) ? bar({ ...one, max: end }) : null);
  return kept(el('table', { class: 'pairs' },
    el('caption', {}, caption), sideHeads(label, names),
    el('tbody', {}, rows.map(row => el('tr', {}, el('th', { scope: 'row' }, row.label, row.said ? el('span', { class: 'said' }, ' ', row.said) : null),
      row.sides.map(one => cell(one, max ?? scaleOf(row.sides))))))), caption, names, rows);
}

const sideHeads = (label, names, heads) => el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, label)),
  names.map((name, i) => el('th', { scope: 'col' }, heads ? heads[i] : [el('b', {}, sides[i]), el('span', { class: 'unseen' }, ' ', name)]))));

const kept = (table, caption, names, rows) => keep(table, { section: caption, interval: '90 %', rows: rows.flatMap(row =>
  row.sides.map((one, i) => ({ ...one, label: row.label, place: names[i], code: row.code, note: row.marks?.[i] }))) });

const signs = { highest: '▲', lowest: '▼' };

// sign is what says that a value is the highest or lowest of its row, by its shape and to a screen reader in words.
const sign = (mark, t) => mark ? el('span', { class: 'mark' }, el('span', { 'aria-hidden': 'true' }, signs[mark]), el('span', { class: 'unseen' }, ' ', t('compare.' + mark))) : null;

// matrix returns a table of the values of several places, with the highest and lowest of each row marked. names, rows: of pairs, with
// marks beside sides: 'highest', 'lowest' or null. heads: what is over the columns in place of letters.
export function matrix({ caption, label, names, heads, rows, t }) {
  return el('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': caption }, kept(el('table', { class: 'matrix' },
    el('caption', {}, caption), sideHeads(label, names, heads),
    el('tbody', {}, rows.map(row => el('tr', {}, el('th', { scope: 'row' }, row.label), row.sides.map((one, i) =>
      el('td', { class: row.marks?.[i] }, known(one.value) || one.text !== t('missing') ? one.text : [el('span', { 'aria-hidden': 'true' }, '–'), el('span', { class: 'unseen' }, one.text)], sign(row.marks?.[i], t))))))), caption, names, rows));
}

// multiples returns the same as a small chart for each row: a bar for each place, with its interval, on one scale.
export function multiples({ caption, names, rows, max, t }) {
  return kept(el('table', { class: 'multiples' }, el('caption', {}, caption),
    rows.map(row => el('tbody', {}, el('tr', {}, el('th', { scope: 'rowgroup', colspan: '3' }, row.label)),
      row.sides.map((one, i) => el('tr', {}, el('th', { scope: 'row' }, el('b', {}, sides[i]), el('span', { class: 'unseen' }, ' ', names[i])),
        el('td', {}, known(one.value) ? bar({ ...one, max: max ?? scaleOf(row.sides) }) : null),
        el('td', { class: known(one.value) ? 'number' : 'number absent' }, one.text, sign(row.marks?.[i], t), one.small ? el('small', {}, one.small) : null)))))), caption, names, rows);
}

// scoreBars returns the scores of an answer as bars of 5. A score that the answer has not is said to be unknown.
//   scores: {name: {value, text}} of the API; names: [{id, label}] in the order to show; detail(id): an element after the text, or null;
// beside(row, id): the row with what stands beside it
export function scoreBars({ scores, names, caption, format, t, detail = () => null, beside = row => row }) {
  const rows = names.map(({ id, label }) => {
    const value = scores[id] ? Number(scores[id].value) : undefined;
    return beside({
      label, value, after: el('span', { class: 'said' }, scores[id]?.text ?? '', ' ', detail(id)), note: scores[id]?.text,
      text: known(value) ? format.score(value) : t('score.missing'),
    }, id);
  });
  return bars({ caption, label: t('change.score'), unit: t('value'), rows, max: 5, end: '5', name: 'bars short', code: 'score_0_5', t });
}
