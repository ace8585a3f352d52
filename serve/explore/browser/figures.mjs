// Tests of the pure functions of what analysts get: files, classes of areas, marks, lines that read the same, rings. QUARTIER_FILES is the
// folder of the page's files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const load = name => import(pathToFileURL(`${process.env.QUARTIER_FILES}/${name}.js`));
const { csvOf, fileName, recordsOf } = await load('sheet');
const { classOf, counts, quantiles } = await load('classes');
const { marksOf } = await load('compare');
const { besideNotes, besideRow } = await load('beside');
const { linesOf } = await load('why');
const { unpacked } = await load('walk');
const { minutesOf, wayOf } = await load('travel');
const { commuteRows } = await load('compare');
const { figureOf } = await load('areas');
const { kinds } = await load('layers');
const { translator } = await load('words');
const { figures, scores } = await load('vocabulary');
const en = translator('en'), context = { t: en, language: 'en', number: String };

// parsed reads CSV by the rules of RFC 4180.
export function parsed(text) {
  const records = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    records.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') records.push([]);
    if (end === '') break;
  }
  return records.filter(record => record.length > 1 || record[0]);
}

test('CSV comes back as it was, and no text in it is a formula', () => {
  const texts = ['a', 'a,b', '"quoted"', 'two\r\nlines', 'two\nlines', '', ' ', 'é — “ ”', '‮bidi', '<b>&amp;</b>', 'x'.repeat(10_000), ';', "'", '0', '1e5'];
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '\u200b=1', '=HYPERLINK("http://x","y")', "-2+3+cmd|' /C calc'!A0"];
  const back = parsed(csvOf([texts, formulas], texts));
  assert.deepEqual(back[1], texts);
  assert.deepEqual(back[2], formulas.map(text => "'" + text));
  for (const cell of back.flat()) assert.ok(!/^\s*[=+@-]/.test(cell), cell);
  assert.equal(csvOf([[-0.5, 1e-7, 3]], ['a', 'b', 'c']), 'a,b,c\r\n-0.5,1e-7,3\r\n', 'numbers stay numbers');
});

test('records have units, margins and ranks where they are known, and nothing where they are not', () => {
  const sheet = { section: 'S', code: 'share', interval: '90 %', rows: [{ label: 'a', value: 0.5, low: 0.4, high: 0.6, text: '50 %', rank: { percent: 83, count: 57 } }, { label: 'b', text: 'not known', value: undefined }, { label: 'c', value: 0, place: 'Q', code: 'CAD' }] };
  const about = { place: 'P', as_of: '2026-01-01', release: 'd', attribution: '©' };
  assert.deepEqual(recordsOf([sheet], about), [
    ['P', 'S', 'a', 0.5, 'share', 0.4, 0.6, '90 %', 83, 57, '50 %', '', '2026-01-01', 'd', '©'],
    ['P', 'S', 'b', '', 'share', '', '', '', '', '', 'not known', '', '2026-01-01', 'd', '©'],
    ['Q', 'S', 'c', 0, 'CAD', '', '', '', '', '', '', '', '2026-01-01', 'd', '©']]);
  assert.equal(fileName('../Île <b>', 'x/y'), 'I-le-b-x-y'.replace('I-le', fileName('Île')));
  assert.ok(!/[/\\.:<>]/.test(fileName('../../etc/passwd', 'C:\\x')));
  assert.equal(fileName('…'), 'quartier');
});

test('classes have about as many areas each, with rounded bounds, and equal values are in one', () => {
  const values = Array.from({ length: 100 }, (_, i) => 20_000 + 731 * i), bounds = quantiles(values);
  assert.equal(bounds.length, 4);
  assert.deepEqual(bounds.map(x => x % 1000), [0, 0, 0, 0]);
  for (const n of counts(values, bounds)) assert.ok(n >= 15 && n <= 25, String(n));
  assert.deepEqual(quantiles([]), []);
  assert.deepEqual(quantiles([3]), []);
  assert.deepEqual(quantiles([3, 3, 3, 3]), []);
  assert.deepEqual(quantiles([0, 0, 0, 0, 0, 0, 0, 0, 1, 2]).every(x => x > 0), true);
  for (const some of [[0.4123, 0.4124, 0.4125, 0.4126, 0.4127], [-5, -1, 0, 3, 9], [1, 1e9], Array(50).fill(2).concat(Array(50).fill(5))]) {
    const found = quantiles(some);
    assert.deepEqual(found, found.toSorted((a, b) => a - b));
    assert.ok(counts(some, found).every(n => n > 0), `${some}: a class is empty: ${found}`);
    assert.equal(new Set(some.map(value => classOf(value, found))).size, found.length + 1);
  }
});

test('the highest and lowest are marked where they are sure', () => {
  const at = (value, low, high) => ({ value, low, high });
  assert.deepEqual(marksOf([at(1), at(3), at(2), at(undefined)]), ['lowest', 'highest', null, null]);
  assert.deepEqual(marksOf([at(3), at(3), at(1)]), [null, null, 'lowest']);
  assert.deepEqual(marksOf([at(3), at(undefined)]), [null, null]);
  assert.deepEqual(marksOf([at(1, 0, 2), at(5, 4, 6), at(5.5, 4.5, 6.5)], true), ['lowest', null, null], 'intervals overlap');
  assert.deepEqual(marksOf([at(1, 0, 2), at(5)], true), [null, null], 'an interval is not known');
});

test('what stands beside a figure: names, ranks, and nothing where nothing is known', () => {
  globalThis.document ??= { createElement: () => ({ append(...texts) { this.text = texts.join(''); }, setAttribute() {} }) };
  const data = { geog_id: 'g10_a', beside: [{ geog_id: 'g30_b', name: { en: 'City <b>' } }, { geog_id: 'g60_c', name: { en: 'State' } }],
    figures: { cafes: { own: { value: 3 }, beside: [{ value: 2.5, lower: 2, upper: 3 }, null], rank: { among: 'g60_c', count: 57, percent: 83, median: 2 } }, parks: { own: { value: 1 }, beside: [null, null], rank: null } } };
  const row = besideRow({ label: 'Cafes', value: 3 }, 'cafes', data, String, context);
  assert.equal(row.beside.text, 'City <b> 2.5 · percentile 83 of 57');
  assert.deepEqual([row.median, row.rank.count, row.more.map(one => [one.place, one.value, one.low])], [2, 57, [['City <b>', 2.5, 2]]]);
  const plain = { label: 'Parks', value: 1 };
  assert.equal(besideRow(plain, 'parks', data, String, context), plain);
  assert.equal(besideRow(plain, 'parks', null, String, context), plain);
  const notes = besideNotes(data, ['cafes', 'parks'], context);
  assert.ok(notes[0].includes('in State') && notes[1].includes('State') && notes.length === 2, notes.join(' '));
  assert.equal(besideNotes({ ...data, figures: { parks: data.figures.parks } }, ['parks'], context).at(-1), en('beside.few'));
  assert.deepEqual(besideNotes(null, ['cafes'], context), []);
});

test('lines that read the same are distinguished', () => {
  const bus = { name: '1', mode: 'bus', basis: 'line', direction: 0 };
  for (const [lines, parts] of [
    [[{ ...bus, route: 'a' }, { ...bus, route: 'a', direction: 1 }], ['bus, direction 1', 'bus, direction 2']],
    [[{ ...bus, route: 'osm:relation:1' }, { ...bus, route: 'osm:route_ref:bus:1' }], ['bus, direction 1 of osm:relation:1', 'bus, direction 1 of osm:route_ref:bus:1']],
    [[{ ...bus, headsign: 'Depot' }, { ...bus, headsign: 'Harbour' }], ['bus, Depot', 'bus, Harbour']],
    [[{ ...bus, stop: '1' }, { ...bus, direction: 1 }], ['bus, direction 1', 'bus, direction 2']],
    [[bus, { ...bus, name: '2' }], ['bus', 'bus']],
  ]) assert.deepEqual(linesOf(lines, context), parts);
});

test('lines of rings are unpacked, and figures and kinds are known', () => {
  assert.deepEqual(unpacked([[-7526000, 3916000, 12, -5]]), [[[-75.26, 39.16], [-75.25988, 39.15995]]]);
  assert.equal(figureOf('income_stats.median_household_income', 'en', en).code('US'), 'USD');
  assert.equal(figureOf('cafes', 'fr', en).form, 'score');
  for (const id of ['__proto__', 'constructor', 'toString']) assert.equal(figureOf(id, 'en', en), undefined, id);
  for (const { id } of [...figures, ...scores]) assert.ok(figureOf(id, 'fr', en).name, id);
  assert.equal(new Set(kinds.flatMap(kind => kind.of)).size, kinds.flatMap(kind => kind.of).length, 'a category is of one kind');
  assert.equal(new Set(kinds.map(kind => kind.shape)).size, kinds.length, 'kinds differ by shape');
});

test('how one travels is that of the link, as far as the release has it', () => {
  const all = ['walk', 'bicycle', 'car', 'transit'];
  assert.deepEqual(wayOf({ travel: 'transit.sunday.17:00' }, all), { mode: 'transit', day: 'sunday', depart: '17:00' });
  assert.deepEqual(wayOf({ travel: null }, all), { mode: 'transit', day: 'tuesday', depart: '08:00' });
  assert.deepEqual(wayOf({ travel: 'car' }, all), { mode: 'car' });
  assert.deepEqual(wayOf({ travel: 'transit.sunday.17:00' }, ['walk', 'car']), { mode: 'car' });
});

test('places are compared by minutes to work, and one that is not known is no 0', () => {
  const answer = one => ({ data: { travel: { mode: 'walk' }, results: [one] } });
  const [row] = commuteRows([answer({ minutes: 12 }), answer({ minutes: 30 }), answer({ minutes: null, reason: 'beyond_limit' }), null], en);
  assert.deepEqual(row.sides.map(side => side.value), [12, 30, undefined, undefined]);
  assert.deepEqual(row.marks, ['lowest', 'highest', null, null]);
  assert.equal(row.sides[2].text, en('travel.reason.beyond_limit'));
  assert.equal(minutesOf({ minutes: 0 }, en), '0 min');
  assert.deepEqual(commuteRows([null, null], en), []);
});
