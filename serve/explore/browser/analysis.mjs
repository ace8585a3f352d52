// What people who analyse places do: figures beside those of what contains an area, several places side by side, areas coloured by a
// figure, streets by walking minutes, and panels as files and on paper. QUARTIER_CONTROL is the server of the sites.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, answerOf, desktop, drawnOn, enter, eventually, fits, leave, look, mapOf, openPanel, phone, picture, renewed, shared, shows, visit } from './open.mjs';

const north = '45.2,-72.8', south = '44.8,-72.8', hostile = `L'Île <b>"d'Or"</b> & Cie`;
const site = fetch(process.env.QUARTIER_CONTROL + '/full/link').then(answer => answer.text()).then(async link => enter(await shared(), link));
const open = async options => visit(await site, options);
const count = (page, selector) => page.locator(selector).count();

// kept is the file that an act makes the page keep.
async function kept(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), body: readFileSync(await download.path()) };
}

// recordsOf reads CSV as objects by its first line.
function recordsOf(body) {
  const text = body.toString('utf8');
  assert.equal(text[0], '\ufeff', 'the mark of UTF-8');
  const records = [[]];
  for (const [, quoted, plain, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    records.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') records.push([]);
    if (end === '') break;
  }
  const [names, ...rows] = records.filter(record => record.length > 1);
  for (const row of rows) assert.equal(row.length, names.length, row.join());
  return rows.map(row => Object.fromEntries(names.map((name, i) => [name, row[i]])));
}

test('each panel as CSV and PNG, with the figures of the server', async () => {
  const session = await open(), page = await look(session, `at=${south}&in=g30_sud0000000&lang=en`);
  const csv = () => kept(page, () => page.click('.sheet button:has-text("CSV")'));
  const release = await answerOf(page, '/explore/release.json');
  const { data } = await answerOf(page, '/explore/api/scores/g30_sud0000000');
  const context = (await answerOf(page, '/explore/context?geog_id=g30_sud0000000')).data;
  let rows = recordsOf((await csv()).body).filter(row => row.place === 'Southville');
  assert.equal(rows.filter(row => row.value).length, Object.keys(data.scores).length);
  const cafes = rows.find(row => row.figure === 'Cafes');
  assert.deepEqual([Number(cafes.value), cafes.unit, cafes.as_of, cafes.release], [Number(data.scores.cafes.value), 'score_0_5', release.as_of, release.release]);
  assert.ok(rows.every(row => row.attribution === release.attribution.join(' | ')));
  await openPanel(page, 'people');
  rows = recordsOf((await csv()).body);
  const people = (await answerOf(page, '/explore/api/demographics/g30_sud0000000')).data.attributes;
  for (const [id, { label, variables }] of Object.entries(people)) {
    for (const one of variables) {
      const row = rows.find(row => row.place === 'Southville' && row.section === label && row.figure === one.label);
      if (one.open) continue;
      assert.deepEqual([Number(row.value), Number(row.lower), Number(row.upper)], [one.value, one.confidence_interval?.lower ?? 0, one.confidence_interval?.upper ?? 0], one.label);
      const around = context.figures[`${id}.${one.variable}`].beside.filter(Boolean).length;
      assert.ok(rows.filter(row => row.place !== 'Southville' && row.section === label && row.figure === one.label).length >= around, 'and what contains it');
    }
  }
  for (const id of ['scores', 'people', 'market', 'pois', 'schools', 'walk', 'profile']) {
    await openPanel(page, id);
    const png = await kept(page, () => page.click('.sheet button:has-text("PNG")'));
    assert.equal(png.body.subarray(1, 4).toString(), 'PNG', id);
    assert.ok(png.body.length > 8000 && /^Southville-\w+\.png$/.test(png.name), `${id}: ${png.name}, ${png.body.length} bytes`);
    assert.ok(recordsOf((await csv()).body).length || await count(page, '#panel .missing'), id);
  }
  await leave(session);
});

test('figures beside those of what contains the area, as the server has them', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open({ language }), say = translator(language), page = await look(session, `in=g10_vieuxnord0&lang=${language}`);
    const { data } = await answerOf(page, '/explore/context?geog_id=g10_vieuxnord0');
    assert.ok(Object.values(data.figures).some(one => one.own && one.beside.some(Boolean)));
    assert.ok(await count(page, '#panel small.beside') > 0);
    const text = await page.locator('#panel').innerText();
    assert.ok(text.includes(say('beside.few')), 'three neighbourhoods are too few for a rank');
    assert.ok(!/percentile \d|centile \d/.test(text));
    await accessible(page, 'beside, ' + language);
    await leave(session);
  }
});

test('six places are compared, added by search and by a click, and removed', async () => {
  const session = await open({ drawn: true }), say = translator('en');
  const page = await look(session, `map=12/45.2/-72.8&at=${north}&panel=compare&lang=en&with=${south};g30_sud0000000`);
  const places = () => page.locator('#panel .sides li').allInnerTexts();
  assert.deepEqual((await places()).map(text => text.split(/\s/)[0]), ['A', 'B', 'C']);
  assert.equal(await count(page, '#panel table.multiples tbody').then(Boolean), true);
  assert.ok(await count(page, '#panel table.multiples path.whisker') > 10, 'intervals are drawn');
  await page.click(`button:text-is("${say('compare.again')}")`);
  await page.fill('#search-field', 'Missisquoi');
  await page.waitForSelector('#search-list [role=option]');
  await renewed(page, '#panel [data-panel]', () => page.keyboard.press('Enter'));
  await page.click(`button:text-is("${say('compare.again')}")`);
  await mapOf(page, () => true);
  await renewed(page, '#panel [data-panel]', () => page.locator('#map canvas').click({ position: { x: 700, y: 200 } }));
  assert.equal((await places()).length, 5);
  assert.equal(new URL(page.url()).hash.match(/with=([^&]*)/)[1].split(';').length, 4);
  await page.check('input[value=matrix]');
  const marked = await page.locator('table.matrix .mark .unseen').allInnerTexts();
  assert.ok(marked.some(text => text.includes(say('compare.highest'))) && marked.some(text => text.includes(say('compare.lowest'))), 'more than colour');
  await fits(page, 'a table of five places');
  await accessible(page, 'a table of five places');
  await picture(page, 'compare-matrix');
  await renewed(page, '#panel [data-panel]', () => page.locator('#panel .sides button').last().click());
  assert.equal((await places()).length, 4);
  const again = await look(session, new URL(page.url()).hash.slice(1));
  assert.equal(await count(again, '#panel .sides li'), 4, 'the link has them');
  await renewed(again, '#panel [data-panel]', () => again.click(`button:text-is("${say('compare.end')}")`));
  assert.ok(!again.url().includes('with='));
  await leave(session);
});

test('areas coloured by a figure, with a legend, a table that is sorted, and files', async () => {
  for (const [language, size] of [['en', desktop], ['fr', phone]]) {
    const session = await open({ language, size, drawn: true }), say = translator(language), page = await look(session, `map=9/45/-72.8&lang=${language}`);
    await page.waitForSelector('#areas-figure');
    await page.selectOption('#areas-figure', 'cafes');
    await page.waitForSelector('#areas [aria-expanded]');
    assert.match(page.url(), /areas=30:cafes/);
    const [west, south, east, north] = await mapOf(page, map => map.getBounds().toArray().flat());
    const { data } = await answerOf(page, `/explore/areas?level=30&figure=cafes&bbox=${[west, south, east, north].join()}`);
    const colour = await mapOf(page, map => map.getPaintProperty('areas', 'fill-color'));
    for (const area of data.areas) assert.ok(colour.includes(area.geog_id), area.geog_id);
    assert.ok(!data.unknown.some(id => colour.includes(id)), 'nothing is made up');
    await page.click('#areas [aria-expanded]');
    const names = () => page.locator('#areas-table tbody th').allInnerTexts();
    const values = () => page.locator('#areas-table tbody td:nth-of-type(1)').allInnerTexts().then(all => all.map(text => Number(text.replace(',', '.'))));
    assert.deepEqual(await values(), (await values()).toSorted((a, b) => b - a));
    await page.focus('#areas-table [data-by=label]');
    await page.keyboard.press('Enter');
    assert.deepEqual(await names(), (await names()).toSorted((a, b) => a.localeCompare(b, language)));
    assert.equal(await page.evaluate(() => document.activeElement.dataset.by), 'label', 'the focus stays');
    assert.equal(await page.locator('#areas-table th[aria-sort]').getAttribute('aria-sort'), 'ascending');
    const csv = recordsOf((await kept(page, () => page.click(`#areas-table button:text-is("${say('sheet.csv')}")`))).body);
    assert.equal(csv.length, (await names()).length);
    const png = await kept(page, () => page.click(`button:text-is("${say('areas.png')}")`));
    assert.ok(png.body.length > 10_000);
    await page.route('**/explore/areas?*', async route => { // a name with markup, which no area with a figure has
      const answer = await (await route.fetch()).json();
      answer.data.areas[0].name = { en: hostile, fr: hostile };
      await route.fulfill({ json: answer });
    });
    await page.selectOption('#areas-figure', 'parks');
    await page.waitForFunction(name => document.querySelector('#areas-table tbody')?.innerText.includes(name), hostile);
    assert.equal(await count(page, '#areas-table b:has-text("d\'Or")'), 0, 'markup of a name is no element');
    await fits(page, 'areas');
    await accessible(page, 'areas, ' + language);
    await picture(page, 'areas-' + language);
    await page.selectOption('#areas-figure', '');
    await eventually(async () => assert.equal(await count(page, '#areas-table table'), 0));
    await leave(session);
  }
});

test('streets by walking minutes, as the server has them', async () => {
  const session = await open({ drawn: true }), say = translator('en'), page = await look(session, `at=${north}&panel=walk&lang=en`);
  const { data } = await answerOf(page, `/explore/rings?lat=45.2&lng=-72.8&minutes=5,10,15,20`);
  assert.equal(await count(page, '#panel table.bars tbody tr'), 4);
  const drawn = (await drawnOn(page)).filter(one => one.properties.role === 'ring');
  assert.deepEqual(drawn.map(one => one.geometry.coordinates.length), data.bands.map(band => band.lines.length).reverse());
  await accessible(page, 'walk');
  await openPanel(page, 'scores');
  assert.equal((await drawnOn(page)).length, 0, 'another panel takes them away');
  const wild = await look(session, 'at=45.25,-72.7&panel=walk&lang=en');
  assert.ok((await wild.locator('#panel').innerText()).includes(say('walk.none')), 'no street is known');
  await leave(session);
});

test('a point of interest that is clicked opens what is known of it', async () => {
  const session = await open({ drawn: true }), page = await look(session, `map=16/45.2/-72.8&lang=en`);
  await shows(page, 'pois-kinds');
  const at = await mapOf(page, map => {
    const { width, height } = map.getCanvas().getBoundingClientRect();
    const found = map.queryRenderedFeatures([[width * 0.55, height * 0.4], [width * 0.8, height * 0.8]], { layers: ['pois'] })[0];
    return map.project(found.geometry.coordinates);
  });
  await page.locator('#map canvas').click({ position: { x: at.x, y: at.y } });
  await page.waitForSelector('#panel [data-panel=pois]');
  assert.match(page.url(), /panel=pois/);
  await leave(session);
});

test('on paper there are the figures with their sources, light, and nothing to press', async () => {
  const session = await open({ colorScheme: 'dark' }), page = await look(session, `at=${north}&lang=en&panel=people`);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const seen = selector => page.locator(selector).first().isVisible();
  for (const selector of ['header', '.tabs', '.zoom', '.sheet button']) assert.equal(await seen(selector), false, selector);
  for (const selector of ['.place-head h2', '#panel table.bars', '.sheet p', '#attribution']) assert.equal(await seen(selector), true, selector);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok((await page.pdf({ format: 'Letter' })).length > 10_000);
  await leave(session);
});
