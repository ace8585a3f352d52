// What the panels show as rows of figures: as CSV, as a picture, and at the foot of each panel with its release. Charts keep their rows
// here by the element that shows them, so that a file has what one sees and nothing else.
import {el} from './dom.js';
import {formats, known} from './formats.js';

const kept = new WeakMap();

// keep notes the rows of a chart or table and returns its element.
//   section: its title; code: the unit of values (share, CAD, USD, count, ratio, score_0_5, days, m); interval: what low and high are
//   rows: {label, value, low, high, text, place, note, rank, code}: place is that of the panel if absent, rank {percent, count}
export function keep(element, sheet) {
  kept.set(element, sheet);
  return element;
}

// sheetsOf are the sheets of what is in an element, in its order.
export const sheetsOf = root => [...root.querySelectorAll('*')].map(one => kept.get(one)).filter(Boolean);

const columns = ['place', 'section', 'figure', 'value', 'unit', 'lower', 'upper', 'interval', 'percentile', 'peers', 'as_written', 'note', 'as_of', 'release', 'attribution'];

// recordsOf are the rows of sheets as records of columns. about: {place, as_of, release, attribution}.
export function recordsOf(sheets, about) {
  const number = x => known(x) ? x : '';
  return sheets.flatMap(({section, code, interval, rows}) => rows.map(row => [
    row.place ?? about.place, section, row.label, number(row.value), row.code ?? code ?? '', number(row.low), number(row.high),
    known(row.low) && known(row.high) ? interval ?? '' : '', number(row.rank?.percent), number(row.rank?.count), row.text ?? '', row.note ?? '',
    about.as_of, about.release, about.attribution,
  ]));
}

// csvOf writes records as CSV of RFC 4180 with a line of names. A text that a spreadsheet would take for a formula begins with an
// apostrophe, as they write such texts; numbers stay numbers.
export function csvOf(records, names = columns) {
  const cell = value => {
    if (typeof value === 'number') return String(value);
    const text = /^[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(value) ? "'" + value : value;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return [names, ...records].map(record => record.map(cell).join(',') + '\r\n').join('');
}

// save lets the browser keep a file. A link to an object of the page is no load that the policy would have to allow.
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  el('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// saveCSV begins with the mark by which spreadsheets know UTF-8.
export const saveCSV = (name, records, names) => save(name + '.csv', new Blob(['\ufeff', csvOf(records, names)], {type: 'text/csv;charset=utf-8'}));

export const savePNG = (name, canvas) => new Promise(done => canvas.toBlob(blob => { save(name + '.png', blob); done(); }, 'image/png'));

// fileName makes the name of a file of texts.
export const fileName = (...texts) => texts.join(' ').normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 80) || 'quartier';

// aboutOf says of what release and sources the figures of a place are.
export const aboutOf = (place, {release}) => ({place, as_of: release.as_of, release: release.release, attribution: release.attribution.join(' | ')});

const font = size => `${size}px system-ui, sans-serif`;

// lines breaks a text where it is wider than a width, twice the most that is useful at the most.
function lines(pen, text, width, most = 40) {
  const out = [];
  for (const word of String(text).slice(0, 4000).split(/\s+/)) {
    const joined = out.length ? out.at(-1) + ' ' + word : word;
    if (out.length && pen.measureText(joined).width <= width) out[out.length - 1] = joined;
    else out.push(word);
  }
  return out.slice(0, most).map(line => {
    while (pen.measureText(line).width > width) line = line.slice(0, -2) + '…';
    return line;
  });
}

// pictureOf draws on white paper: a title, a picture if there is one, bars of the sheets with their intervals, and the sources below.
export function pictureOf({title, subtitle, picture, sheets = [], notes, wide = 760}) {
  const canvas = el('canvas'), pen = canvas.getContext('2d'), edge = 24, scale = 2, most = 14_000;
  let y = 0;
  const write = (text, size, colour, {x = edge, width = wide - 2 * edge, weight = ''} = {}) => {
    pen.font = weight + font(size);
    pen.fillStyle = colour;
    for (const line of lines(pen, text, width)) pen.fillText(line, x, y += size * 1.35);
  };
  const rowOf = (row, max) => {
    const top = y, mid = top + 13, left = 300, room = wide - left - edge - 150, at = x => left + room * Math.min(Math.max(x / max, 0), 1);
    if (!known(row.value) && pen.measureText(row.text ?? '').width > 300) {
      write(row.label, 13, '#26241f', {weight: '600 '});
      return write(row.text, 13, '#26241f');
    }
    if (row.colour) {
      pen.fillStyle = row.colour;
      pen.fillRect(edge, y + 5, 14, 14);
    }
    write(row.place ? `${row.label} — ${row.place}` : row.label, 13, '#26241f', {x: edge + (row.colour ? 22 : 0), width: left - edge - 32});
    pen.font = font(13);
    pen.textAlign = 'right';
    pen.fillText(lines(pen, row.text ?? '', 145, 1)[0] ?? '', wide - edge, mid + 4);
    pen.textAlign = 'left';
    if (max && known(row.value)) {
      pen.fillStyle = '#e9e4da';
      pen.fillRect(left, mid - 5, room, 10);
      pen.fillStyle = '#b95c91';
      pen.fillRect(left, mid - 7, at(row.value) - left, 14);
      if (known(row.low) && known(row.high)) {
        pen.fillStyle = '#26241f';
        pen.fillRect(at(row.low), mid - 1, at(row.high) - at(row.low), 2);
        for (const x of [row.low, row.high]) pen.fillRect(at(x) - 1, mid - 5, 2, 10);
      }
    }
    y = Math.max(y + 6, top + 24);
  };
  const draw = () => {
    y = 12;
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    write(title, 22, '#26241f', {weight: '600 '});
    if (subtitle) write(subtitle, 14, '#5d5850');
    if (picture) {
      const tall = (wide - 2 * edge) * picture.height / picture.width;
      pen.drawImage(picture, edge, y += 12, wide - 2 * edge, tall);
      y += tall + 8;
    }
    for (const {section, rows} of sheets) {
      if (y > most) break;
      write(section, 15, '#26241f', {weight: '600 '});
      const negative = rows.some(row => row.value < 0), max = negative ? 0 : Math.max(0, ...rows.flatMap(row => [row.value, row.high]).filter(known));
      y += 4;
      for (const row of rows) if (y < most) rowOf(row, max);
      y += 8;
    }
    y += 6;
    for (const note of notes) write(note, 11, '#5d5850');
    return y + 20;
  };
  canvas.width = wide;
  const tall = draw();
  canvas.width = wide * scale;
  canvas.height = Math.ceil(tall) * scale;
  pen.scale(scale, scale);
  draw();
  return canvas;
}

// sourcesOf are the lines below a picture: date and release, and what sources ask to be named.
export function sourcesOf({release, language, t}) {
  return [t('sheet.release', {date: formats(language).date(release.as_of), digest: release.release.slice(0, 12)}), release.attribution.join(' · ')];
}

// footOf is what stands below a panel: its date and release, and buttons for its figures as files. title is that of the panel, name the
// place's.
export function footOf(panel, title, name, context) {
  const {t, release, language} = context, file = () => fileName(name, title);
  const actions = [
    ['sheet.csv', () => saveCSV(file(), recordsOf(sheetsOf(panel), aboutOf(name, context)))],
    ['sheet.png', () => savePNG(file(), pictureOf({title: name, subtitle: title, sheets: sheetsOf(panel), notes: sourcesOf(context)}))],
    ['sheet.print', () => print()],
  ];
  return el('footer', {class: 'sheet'}, el('p', {class: 'small'}, t('sheet.release', {date: formats(language).date(release.as_of), digest: release.release.slice(0, 12)}), ' ', t('sheet.sources')),
    el('p', {class: 'buttons', role: 'group', 'aria-label': t('sheet.files')}, actions.map(([key, act]) => el('button', {type: 'button', onclick: act}, t(key)))));
}
