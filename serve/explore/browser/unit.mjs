// Tests of the page's pure functions in Node.js. QUARTIER_FILES is the folder of the page's files, QUARTIER_EXAMPLES that of recorded
// answers.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.QUARTIER_FILES;
const load = name => import(pathToFileURL(`${folder}/${name}.js`));
const example = name => JSON.parse(readFileSync(`${process.env.QUARTIER_EXAMPLES}/${name}.json`)).answers['200'];

const { words, translator, spaced, list } = await load('words');
const { formats, ceiling } = await load('formats');
const { kindOf, parted, missingOf, rowOf, groups } = await load('demographics');
const { intervalsOf, nameOf, pointsOf, factsOf, types } = await load('market');
const { verdict, scoreRows, demographicRows, marketRows } = await load('compare');
const { reasonOf, movesOf, featuresOf } = await load('changes');
const { demographics, scores } = await load('vocabulary');
const en = translator('en'), fr = translator('fr');

const forms = text => (typeof text === 'string' ? [text] : Object.values(text));
const names = text => [...new Set(forms(text).flatMap(one => [...one.matchAll(/\{(\w+)\}/g)].map(m => m[1])))].sort();

test('every word is in both languages, with the same values', () => {
  for (const [key, { en, fr }] of Object.entries(words)) {
    assert.ok(forms(en).every(Boolean) && forms(fr).every(Boolean), key);
    assert.deepEqual(names(fr), names(en), key);
    for (const text of [en, fr]) if (typeof text === 'object') assert.deepEqual(Object.keys(text), ['one', 'other'], key);
  }
  // Each block, which begins with a comment, has an order of its own.
  const blocks = readFileSync(`${folder}/words.js`, 'utf8').split(/^ {2}\/\/ .*$/m).map(text => [...text.matchAll(/^ {2}'([^']+)': \{/gm)].map(m => m[1]));
  assert.equal(blocks.flat().length, Object.keys(words).length);
  for (const keys of blocks) assert.deepEqual(keys, [...keys].sort(), 'words are in the order of the alphabet');
});

test('French texts have the signs and spaces of French', () => {
  for (const [key, { fr }] of Object.entries(words)) {
    for (const text of forms(fr)) {
      assert.ok(!/['"]/.test(text), `${key} has a straight quote`);
      assert.ok(!/\p{L}[:;]|\}[:;%]/u.test(text.replace(/https?:/g, '')), `${key} has no space before : ; or %`);
      assert.ok(!/ [:;?!%$»]/.test(spaced(text)), `${key} can break before : ; ? ! % $`);
    }
  }
  assert.equal(spaced('Vu : 5 % ; oui ? « a » 3 km'), 'Vu\u00a0: 5\u00a0% \u003b oui ? « a » 3 km'.replace(' ;', '\u202f;').replace(' ?', '\u202f?').replace('« a »', '«\u00a0a\u00a0»').replace('3 km', '3\u00a0km'));
});

test('every word that the page asks for is there, and no other', () => {
  const sources = readdirSync(folder).filter(name => name.endsWith('.js') && !['words.js', 'vocabulary.js'].includes(name)).map(name => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
  const quoted = new Set([...sources.matchAll(/'([a-z_]+(?:\.[A-Za-z0-9_-]+)*)'/g)].map(m => m[1]));
  const prefixes = [...sources.matchAll(/'([a-z_]+(?:\.[a-z_]+)*[._])'(?: \+|,)/g)].map(m => m[1]);
  for (const [, key] of sources.matchAll(/\bt\('([a-z_]+(?:\.[A-Za-z0-9_-]+)*)'[,)]/g)) assert.ok(key in words, `words.js has no ${key}`);
  const unasked = Object.keys(words).filter(key => !quoted.has(key) && !prefixes.some(prefix => key.startsWith(prefix)));
  assert.deepEqual(unasked, [], 'nothing asks for them');
  for (const id of types) assert.ok('market.type.' + id in words, id);
  for (const group of [...Object.keys(groups), 'other']) assert.ok('demographics.group.' + group in words, group);
});

test('words take values, and the form of their number', () => {
  assert.equal(en('demographics.around', { count: 1 }), 'Within 1 metre of the point');
  assert.equal(fr('demographics.around', { count: 1500 }), 'À moins de 1\u00a0500 mètres du point');
  assert.equal(fr('demographics.uncertain', { count: 0 }), '0 valeur n’a pas de marge d’erreur connue.');
  assert.equal(fr('demographics.uncertain', { count: 1e6 }), '1\u00a0000\u00a0000 valeurs n’ont pas de marge d’erreur connue.');
  assert.throws(() => en('no.such.word'), /no word/);
  assert.throws(() => en('chart.axis'), /needs max/);
  assert.equal(list('fr', ['a', 'b', 'c']), 'a, b et c');
});

test('numbers are written as in the country and language', () => {
  const [ca, us, qc, usFr] = [formats('en', 'CA'), formats('en', 'US'), formats('fr', 'CA'), formats('fr', 'US')];
  assert.deepEqual([ca, us, qc, usFr].map(f => f.money(65086)), ['$65,086', '$65,086', '65\u00a0086\u00a0$', '65\u00a0086\u00a0$\u00a0US']);
  assert.deepEqual([formats('en', 'CA', true), formats('en', 'US', true)].map(f => f.money(65086)), ['CA$65,086', 'US$65,086']);
  assert.deepEqual([ca, qc].map(f => f.share(0.0464)), ['4.6%', '4,6\u00a0%']);
  assert.deepEqual([ca, qc].map(f => f.change(-0.5)), ['−0.5', '−0,5']);
  assert.deepEqual([ca, qc].map(f => f.date('2025-03-01T00:00:00Z')), ['March 1, 2025', '1er mars 2025']);
  assert.deepEqual([ca, qc].map(f => f.date('2025-03-21')), ['March 21, 2025', '21 mars 2025']);
});

test('axes end at round numbers that hold every value', () => {
  for (const x of [0.001, 0.13, 0.46, 1, 9.99, 10, 17, 609000]) {
    const end = ceiling(x);
    assert.ok(end >= x && end <= 2 * x && /^[1-9]5?0*$/.test(String(Math.round(end * 1e6)).replace(/0+$/, '') + '0'), `${x}: ${end}`);
  }
  assert.equal(ceiling(0), 1);
});

test('demographics: bars, lines, intervals and what is missing', () => {
  const { data } = example('getGeographyDemographics');
  const commute = parted(data.attributes.commute_mode);
  assert.deepEqual([commute.kind, commute.said.map(v => v.variable)], ['share', ['commute_mode_total']]);
  const drive = commute.drawn.find(v => v.variable === 'drive');
  assert.deepEqual(rowOf(drive, 'share', formats('en', 'US'), en), { label: 'Car, truck or van', value: drive.value, low: 0.6719, high: 0.7108, text: '69.1%', small: '67.2 to 71.1%' });
  assert.equal(rowOf(drive, 'share', formats('fr', 'US'), fr).small, '67,2 à 71,1\u00a0%');
  assert.equal(rowOf({ ...drive, confidence_interval: undefined }, 'share', formats('en'), en).small, undefined, 'no interval is made up');
  const bound = { label: 'Median', value: 250000, open: 'upper' };
  assert.deepEqual(rowOf(bound, 'money', formats('en', 'US'), en), { label: 'Median', value: undefined, low: undefined, high: undefined, text: '$250,000 or more', small: undefined });
  assert.match(rowOf({ ...bound, open: 'lower', value: 2500 }, 'money', formats('fr', 'US'), fr).text, /^moins de 2.500/u);
  assert.equal(kindOf({ variable: 'avg_household_income', type: 'standalone' }, {}), 'money');
  assert.equal(kindOf({ variable: 'popn_total' }, { type: 'standalone' }), 'count');
  assert.equal(kindOf({ variable: 'inc_00_09' }, { type: 'percent' }), 'share');
  assert.equal(kindOf({ variable: 'housing_affordability_index', type: 'standalone' }, {}), 'ratio');
  const grouped = new Set(Object.values(groups).flat());
  for (const { id } of [...demographics.around, ...demographics.geography]) assert.ok(grouped.has(id), `${id} is in no group`);
  const meta = { language: 'fr', country_code: 'US' }, all = Object.fromEntries(demographics.geography.map(c => [c.id, {}]));
  assert.deepEqual(missingOf({ meta, attributes: all }, false), []);
  const { immigration, ...rest } = all;
  assert.deepEqual(missingOf({ meta, attributes: rest }, false), ['Immigration']);
  assert.ok(!missingOf({ meta, attributes: {} }, false).includes('Langue maternelle'), 'a category of Canada is not missing in the United States');
});

test('market: intervals, and nothing where nothing is known', () => {
  const all = example('getMarketStatus').data.intervals, { data } = example('getMarketStats'), format = formats('fr', 'US');
  assert.deepEqual([intervalsOf('months', all).length, intervalsOf('months', all)[0], intervalsOf('months', all).at(-1)], [24, '2023-03', '2025-02']);
  assert.deepEqual(intervalsOf('quarters', all).slice(-2), ['2024Q3', '2024Q4']);
  assert.deepEqual(intervalsOf('rolling', all), ['30d', '60d', '90d', '120d', '31-60d', '12m', '13-24m']);
  for (const code of all) assert.ok(nameOf(code, format, fr) && nameOf(code, format, fr, true));
  assert.deepEqual([nameOf('2024Q4', format, fr), nameOf('2025-02', format, fr)], ['T4 2024', 'février 2025']);
  const price = { form: 'money', read: p => ({ value: p.interval_wide.sales_price?.median, low: p.interval_wide.sales_price?.percentiles['25'], high: p.interval_wide.sales_price?.percentiles['75'] }) };
  const quiet = { interval_wide: { homes_sold_count: 0 }, point_in_time: {} };
  const [known, absent, unsold] = pointsOf(price, { ...data.property_types.single_family, '2025-01': quiet }, ['2024Q4', '2024Q3', '2025-01'], format, fr);
  assert.deepEqual([known.value, known.text, known.small], [535250, '535\u00a0250\u00a0$\u00a0US', '415\u00a0000\u00a0$\u00a0US à 637\u00a0475\u00a0$\u00a0US']);
  assert.deepEqual([absent.value, absent.text, unsold.value], [undefined, 'inconnu', undefined], 'what is missing is not 0');
  const facts = factsOf(data.property_types.single_family['30d'], formats('en', 'US'), en);
  assert.deepEqual(facts.slice(0, 3), [['Market', 'favours sellers'], ['Median sale price', '$489,000'], ['Homes sold', '17']]);
  assert.deepEqual(factsOf(quiet, formats('en', 'US'), en), [['Homes sold', '0']], 'a count of 0 is said, what is absent is left out');
});

test('differences are put in words only where intervals do not overlap', () => {
  const at = (value, low, high) => ({ value, low, high });
  assert.equal(verdict(at(0.5, 0.4, 0.6), at(0.7, 0.61, 0.8), 'share', en), 'larger share in B');
  assert.equal(verdict(at(0.7, 0.61, 0.8), at(0.5, 0.4, 0.6), 'share', fr), 'plus grande part en A');
  assert.equal(verdict(at(0.5, 0.4, 0.6), at(0.7, 0.6, 0.8), 'share', en), 'no clear difference', 'intervals that touch overlap');
  assert.equal(verdict(at(1, undefined, undefined), at(9, 8, 10), 'count', en), 'margin of error not known');
  assert.equal(verdict(at(undefined), at(9, 8, 10), 'count', en), '');
  const rows = scoreRows({ cafes: { value: '4.4499' } }, { cafes: { value: '1.25' }, quiet: { value: '3' } }, 'en', formats('en'), en);
  assert.deepEqual(rows.map(row => [row.label, row.sides.map(s => s.text), row.said]), [['Cafes', ['4.4', '1.3'], 'B less A: −3.1'], ['Quiet', ['not known', '3.0'], '']]);
  const abroad = country => ({ data: { meta: { country_code: country }, attributes: { income_stats: { type: 'standalone', variables: [{ variable: 'median_household_income', label: 'Median', type: 'standalone', value: 50000, confidence_interval: { lower: 49000, upper: 51000 } }] } } } });
  const other = abroad('CA');
  Object.assign(other.data.attributes.income_stats.variables[0], { value: 90000, confidence_interval: { lower: 89000, upper: 91000 } });
  assert.equal(demographicRows('income_stats', [abroad('CA'), other], 'en', en)[0].said, 'higher in B');
  const across = demographicRows('income_stats', [abroad('US'), other], 'en', en)[0];
  assert.deepEqual([across.said, across.sides[0].text, across.sides[1].text], ['', 'US$50,000', 'CA$90,000'], 'two currencies are not compared');
  assert.deepEqual(marketRows([null, null], 'en', en), []);
});

test('changes: moves in order, with reasons and outlines', () => {
  const square = { type: 'MultiPolygon', coordinates: [] };
  const report = {
    scores: [{ score: 'cafes', moved: [{ name: 'N', older: 1, newer: 2, places: [{ class: 'cafe', came: 2, went: 1, names: ['+ Bean'] }] }] }, { score: 'quiet', moved: [{ name: 'M', older: 4, newer: 1, places: [], reason: 'it is made of streets, traffic, land or people, not of places' }] }],
    changed: [{ older: [{ name: 'O', outline: square }], newer: [{ name: 'P' }] }],
  };
  const moves = movesOf(report);
  assert.deepEqual(moves.map(move => move.score), ['quiet', 'cafes']);
  assert.equal(reasonOf(moves[1], en), 'café: 2 came, 1 went within 1 km (+ Bean)');
  assert.equal(reasonOf(moves[0], fr), 'Elle dépend des rues, de la circulation, du terrain ou de la population, et non de lieux.');
  assert.equal(reasonOf({ places: [], reason: 'no place of its kinds came or went within 1 km: its streets, homes or outline did' }, en), words['change.reason.streets'].en);
  assert.deepEqual(featuresOf(report.changed).map(f => [f.properties.role, f.geometry]), [['old', square]], 'an outline that is not there is not drawn');
  assert.equal(scores.length, 18);
});
