// Areas of a level coloured by a figure: their choice, the legend and a table of the same values, which can be sorted and kept as a file;
// and beside it the legend of points of interest. It needs the map, whose view it is about.
import {areaColours, kinds, symbol} from './layers.js';
import {aboutOf, fileName, pictureOf, recordsOf, saveCSV, savePNG, sourcesOf} from './sheet.js';
import {classOf, counts, quantiles} from './classes.js';
import {el} from './dom.js';
import {codeOf} from './demographics.js';
import {demographics, figures, scores} from './vocabulary.js';
import {formats, known} from './formats.js';
import {levelName} from './beside.js';

const levels = [10, 20, 30, 32, 35, 37, 38, 40];

// lowest is the zoom below which tiles have no outlines of a level.
const lowest = {10: 10, 20: 10, 30: 8, 32: 9, 35: 8, 37: 6, 38: 5, 40: 5};

const sold = {
  'market.sale_median': ['market.price', 'money'], 'market.homes_sold': ['market.sold', 'count'],
  'market.days_to_sell_median': ['market.days', 'decimal'], 'market.active_listings': ['market.active', 'count'],
};

// figureOf says how a figure is named and written; undefined if there is none of the id.
export function figureOf(id, language, t) {
  const score = scores.find(one => one.id === id);
  if (score) return {name: score.name[language], form: 'score', code: () => 'score_0_5', score};
  if (Object.hasOwn(sold, id)) return {name: t(sold[id][0]), form: sold[id][1], code: () => codeOf(sold[id][1], 'US')};
  const one = figures.find(figure => figure.id === id);
  if (!one) return undefined;
  const form = one.type === 'percent' ? 'share' : one.type === 'count' ? 'count' : /income/.test(id) ? 'money' : 'ratio';
  return {name: one.name[language], form, code: country => codeOf(form, country)};
}

// createAreas returns what shows the choice of areas and their legend in an element, and the table of their values in another one.
export function createAreas(element, table, context) {
  let shown = null; // the answer that is drawn: {figure, rows, unknown, count, bounds}
  let asked = 0;
  let order = {by: 'value', down: true};

  const choice = () => {
    const [, level, figure] = /^(\d\d):([a-z_.0-9]+)$/.exec(context.view.areas ?? '') ?? [];
    return {level: Number(level) || 30, figure: figure ?? '', of: figure && figureOf(figure, context.language, context.t)};
  };

  function choose(changes) {
    const {level, figure} = {...choice(), ...changes};
    context.set({areas: figure ? `${level}:${figure}` : null});
    const focused = document.activeElement?.id;
    shown = null;
    render();
    document.getElementById(focused)?.focus();
  }

  // load asks for the figures in view, with a margin around it.
  async function load() {
    const number = ++asked, {level, figure, of} = choice(), {api, map, release} = context;
    if (!of || !map.available || !release) return draw(null);
    const [west, south, east, north] = map.bounds(), wide = (east - west) / 8, tall = (north - south) / 8;
    const bbox = [Math.max(west - wide, -180), Math.max(south - tall, -90), Math.min(east + wide, 180), Math.min(north + tall, 90)].map(x => x.toFixed(4));
    try {
      const answer = await api.explore('areas', {level, figure, bbox});
      if (number === asked) draw({...answer.data, figure, level, of});
    } catch (error) {
      if (number === asked) draw({error: context.sentence(error)});
    }
  }

  function draw(data) {
    const {map, language} = context;
    shown = data;
    if (data?.areas) {
      data.abroad = data.of.form === 'money' && new Set(data.areas.map(one => one.country)).size > 1;
      data.write = (value, country = data.areas[0]?.country) => formats(language, country, data.abroad)[data.of.form](value);
      const write = one => one.open ? context.t('open.' + one.open, {value: data.write(one.value, one.country)}) : data.write(one.value, one.country);
      const values = data.areas.map(one => one.value);
      data.bounds = data.of.score ? data.of.score.steps.slice(1).map(step => step / 20) : quantiles(values);
      data.colours = data.of.score ? areaColours : [0, 1, 3, 4, 5].map(i => areaColours[i]).slice(5 - data.bounds.length - 1);
      data.rows = data.areas.map(one => ({
        ...one, label: one.name[language], low: one.lower, high: one.upper, text: write(one), place: one.name[language],
        code: data.of.code(one.country),
      }));
      const byID = new Map(data.rows.map(row => [row.geog_id, row]));
      const colours = new Map(data.rows.map(row => [row.geog_id, data.colours[classOf(row.value, data.bounds)]]));
      map.setAreas({level: data.level, unknown: data.unknown, colours, text: (id, name) => said(byID.get(id), name)});
    } else {
      map.setAreas?.(null);
    }
    renderLegend();
    renderTable();
  }

  const interval = row => known(row.low) && known(row.high) && context.t('interval', {low: shown.write(row.low), high: shown.write(row.high)});

  function said(row, name) {
    if (!row) return `${name}: ${context.t('areas.unknown')}`;
    return `${row.label}: ${row.text}` + (interval(row) ? ` (${interval(row)})` : '');
  }

  const select = (id, label, options, chosen, onchange) => el('p', {class: 'choice'}, el('label', {for: id}, label, ' '),
    el('select', {id, onchange: event => onchange(event.target.value)}, options(chosen)));
  const option = chosen => ({value, label}) => el('option', {value, selected: String(value) === String(chosen)}, label);

  function figureOptions(chosen) {
    const {t, language, agrees, release} = context, group = (label, list) => list.length ? el('optgroup', {label}, list.map(option(chosen))) : null;
    const mine = scores.filter(one => release?.scores.includes(one.id)).map(one => ({value: one.id, label: one.name[language]}));
    const people = demographics.geography.map(category => group(category.name[language], figures.filter(one =>
      one.id.startsWith(category.id + '.') && (!one.country || release?.countries.includes(one.country)))
      .map(one => ({value: one.id, label: one.name[language]}))));
    return [el('option', {value: ''}, t('areas.none')), release && agrees('scores') ? group(t('scores.title'), mine) : null,
      ...(release && agrees('demographics') ? people : []),
      release?.listings.length ? group(t('market.title'), Object.entries(sold).map(([value, [key]]) => ({value, label: t(key)}))) : null].filter(Boolean);
  }

  const levelOptions = chosen => levels.map(value => option(chosen)({value, label: levelName(value, context.language)}));

  const legend = el('div', {class: 'legend-words'});

  function render() {
    const {t, map} = context, {level, figure} = choice();
    element.hidden = !map.available || !context.release?.zooms?.map;
    table.setAttribute('aria-label', t('areas.table'));
    if (element.hidden) return;
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    element.replaceChildren(
      select('areas-figure', t('areas.label'), figureOptions, figure, value => choose({figure: value})),
      figure ? select('areas-level', t('areas.level'), levelOptions, level, value => choose({level: value})) : '',
      legend,
      el('details', {}, el('summary', {}, t('kinds.title')),
        el('ul', {class: 'kinds'}, kinds.map(kind => el('li', {}, symbol(kind, dark, 18), ' ', t('kind.' + kind.id)))),
        el('p', {class: 'small'}, t('kinds.note'))),
      el('p', {class: 'buttons'}, el('button', {type: 'button', class: 'plain-button', onclick: picture}, t('areas.png'))));
    load();
  }

  // renderLegend has a row for each class, with its bounds and how many areas are in it.
  function renderLegend() {
    const {t, map} = context;
    if (!shown) return legend.replaceChildren();
    if (shown.error) return legend.replaceChildren(el('p', {class: 'missing'}, shown.error));
    const {rows, bounds, colours, unknown, count, of, level, write} = shown, many = rows.length + unknown.length < count;
    const note = many ? t('areas.many', {count}) : !count ? t('areas.nowhere') : !rows.length ? t('areas.all_unknown', {count})
      : map.zoom() < lowest[level] ? t('heat.zoom') : null;
    const values = rows.map(row => row.value), number = counts(values, bounds), end = [Math.min(...values), ...bounds, Math.max(...values)];
    const text = i => of.score ? of.score.texts[i][context.language] : t('areas.class', {from: write(end[i]), to: write(end[i + 1])});
    const item = (colour, text, n) => el('li', {}, swatch(colour), el('span', {}, text, ' ', el('span', {class: 'count'}, `(${n})`)));
    const items = (rows.length ? colours : []).map((colour, i) => item(colour, text(i), number[i])).reverse();
    if (unknown.length) items.push(item(null, t('areas.unknown'), unknown.length));
    legend.replaceChildren(...[note && el('p', {class: 'missing'}, note),
      items.length ? el('ul', {'aria-label': t('heat.legend', {score: of.name})}, items) : null,
      shown.abroad ? el('p', {class: 'small'}, t('compare.money')) : null,
      rows.length ? el('p', {class: 'small'}, t(of.score ? 'areas.note.score' : 'areas.note')) : null,
      rows.length ? el('p', {class: 'buttons'}, el('button', {
        type: 'button', class: 'plain-button', 'aria-expanded': String(!table.hidden), onclick: () => showTable(table.hidden),
      }, t('areas.table'))) : null].filter(Boolean));
  }

  // swatch is a square of a colour, drawn as the map draws it; hatched for null.
  function swatch(colour) {
    const canvas = el('canvas', {width: 16, height: 16, class: 'swatch-area', 'aria-hidden': 'true'}), pen = canvas.getContext('2d');
    pen.fillStyle = pen.strokeStyle = colour ?? '#8a857b';
    if (colour) pen.fillRect(0, 0, 16, 16);
    else for (const x of [-8, 0, 8]) { pen.beginPath(); pen.moveTo(x, 16); pen.lineTo(x + 16, 0); pen.stroke(); }
    return canvas;
  }

  function showTable(open) {
    table.hidden = !open;
    renderLegend();
    renderTable();
  }

  function sortBy(by) {
    order = {by, down: order.by === by ? !order.down : by === 'value'};
    renderTable();
    table.querySelector(`[data-by=${by}]`).focus();
  }

  function renderTable() {
    const {t} = context;
    if (table.hidden || !shown?.rows?.length) return table.replaceChildren();
    const compare = order.by === 'value' ? (a, b) => a.value - b.value : (a, b) => a.label.localeCompare(b.label, context.language);
    const sorted = shown.rows.toSorted((a, b) => order.down ? compare(b, a) : compare(a, b));
    const head = (by, text) => el('th', {scope: 'col', 'aria-sort': order.by === by ? order.down ? 'descending' : 'ascending' : null},
      el('button', {type: 'button', class: 'on-map', dataset: {by}, onclick: () => sortBy(by)}, text,
        order.by === by ? el('span', {'aria-hidden': 'true'}, order.down ? ' ▼' : ' ▲') : null));
    const intervals = sorted.some(row => known(row.low));
    table.replaceChildren(
      el('p', {class: 'buttons'}, el('b', {}, shown.of.name), ' ', el('button', {type: 'button', class: 'plain-button', onclick: csv}, t('sheet.csv')), ' ',
        el('button', {
          type: 'button', class: 'plain-button', onclick: () => { showTable(false); element.querySelector('[aria-expanded]')?.focus(); },
        }, t('areas.close'))),
      el('table', {class: 'plain'}, el('caption', {class: 'unseen'}, title()),
        el('thead', {}, el('tr', {}, head('label', t('change.geography')), head('value', t('value')),
          intervals ? el('th', {scope: 'col'}, t('areas.interval')) : null)),
        el('tbody', {}, sorted.map(row => el('tr', {},
          el('th', {scope: 'row'}, el('button', {type: 'button', class: 'on-map', onclick: () => context.select({geog_id: row.geog_id})}, row.label)),
          el('td', {}, row.text), intervals ? el('td', {}, interval(row) || t('missing')) : null)))));
  }

  const title = () => shown?.of ? context.t('areas.caption', {figure: shown.of.name, level: levelName(shown.level, context.language)}) : context.t('map.title');

  function csv() {
    const rows = shown.rows.map(row => ({...row, label: shown.of.name}));
    const sheet = {section: levelName(shown.level, context.language), code: '', interval: '90 %', rows};
    saveCSV(fileName(title()), recordsOf([sheet], aboutOf('', context)));
  }

  // picture is the map as it is seen, with title, legend and sources.
  async function picture() {
    const {rows, bounds, of, write} = shown ?? {}, t = context.t;
    const number = rows?.length ? counts(rows.map(row => row.value), bounds) : [];
    const label = i => of.score ? of.score.texts[i][context.language]
      : i ? t('areas.from', {from: write(bounds[i - 1])}) : t('areas.below', {to: write(bounds[0] ?? rows[0].value)});
    const classes = number.map((count, i) => ({label: label(i), colour: shown.colours[i], text: context.number(count)})).reverse();
    const sheets = classes.length ? [{section: t('heat.legend', {score: of.name}), rows: classes}] : [];
    savePNG(fileName(title()), pictureOf({title: title(), picture: await context.map.picture(), sheets, notes: sourcesOf(context), wide: 1000}));
  }

  return {render, moved: () => { if (choice().figure) load(); }};
}
