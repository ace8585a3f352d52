// The panel of travel times: rings by mode and time of day, the way to work, places compared by it, and the centres around an area.
// QUARTIER_CONTROL is the server of the sites.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, answerOf, desktop, drawnOn, enter, eventually, fits, leave, look, mapOf, openPanel, phone, picture, renewed, shared, visit } from './open.mjs';

const north = '45.2,-72.8005', bank = '45.2006,-72.8009';
const siteOf = name => fetch(`${process.env.QUARTIER_CONTROL}/${name}/link`).then(answer => answer.text()).then(async link => enter(await shared(), link));
const site = siteOf('full');
const open = async options => visit(await site, options);
const text = page => page.locator('#panel').innerText();
const rings = async page => (await drawnOn(page)).filter(one => one.properties.role === 'reach');
const reach = (page, way) => answerOf(page, `/explore/api/reach?lat=45.2&lng=-72.8005&minutes=15,30,45&include=people,pois,geometry&${way}`);

test('rings by mode and time of day, as the server has them', async t => {
  for (const [language, size] of [['en', desktop], ['fr', phone]]) {
    const session = await open({ language, size, drawn: true }), say = translator(language), page = await look(session, `at=${north}&panel=travel&lang=${language}`);
    await page.waitForSelector('#panel table.bars');
    assert.equal(await page.locator('.ways input:checked').getAttribute('value'), 'transit', 'the last mode of the release');
    for (const [mode, way] of [['transit', 'mode=transit&day=tuesday&depart=08:00'], ['walk', 'mode=walk'], ['car', 'mode=car']]) {
      if (mode !== 'transit') await renewed(page, '#panel table.matrix', () => page.check(`.ways input[value=${mode}]`));
      const { data: { results } } = await reach(page, way);
      await eventually(async () => assert.deepEqual((await rings(page)).map(one => one.geometry.coordinates.length), results.map(one => one.geometry.length).reverse(), mode));
      const [lng, lat] = (await rings(page)).at(-1).geometry.coordinates[0][0][0];
      assert.ok(Math.abs(lng - results[0].geometry[0][0][0][1]) < 1e-6 && Math.abs(lat - results[0].geometry[0][0][0][0]) < 1e-6, 'longitude comes first on the map');
      const shown = (await page.locator('table.matrix').innerText()).replace(/[\s\u00a0\u202f]/g, '');
      assert.ok(shown.includes(new Intl.NumberFormat(language + '-CA').format(results[2].pois.total_count).replace(/[\s\u00a0\u202f]/g, '')), mode);
      assert.ok(mode === 'transit' === page.url().includes('travel=transit') || mode === 'transit', page.url());
    }
    const drawn = await page.evaluate(async () => {
      const { fetch } = globalThis;
      let asked;
      globalThis.fetch = (...all) => { if (/include=geometry/.test(all[0])) asked ??= performance.now(); return fetch(...all); };
      const source = globalThis.theMap.getSource('drawn'), { setData } = source;
      return new Promise(done => {
        source.setData = function (data) { const answer = setData.call(this, data); if (data.features.length) requestAnimationFrame(() => done(performance.now() - asked)); return answer; };
        document.querySelector('.ways input[value=bicycle]').click();
      });
    });
    t.diagnostic(`rings by bicycle on the map, ${language}: ${Math.round(drawn)} ms`);
    await page.waitForSelector('#panel table.matrix');
    await page.focus('.ways input[value=car]');
    await renewed(page, '#panel table.matrix', () => page.keyboard.press('ArrowRight')); // to the next mode, transit
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.type), 'radio', 'the focus stays'));
    await renewed(page, '#panel table.matrix', () => page.locator('.ways select').nth(1).selectOption('23:00'));
    assert.match(page.url(), /travel=transit\.tuesday\.23:00/);
    const night = (await reach(page, 'mode=transit&day=tuesday&depart=23:00')).data.results;
    await eventually(async () => assert.deepEqual((await rings(page)).map(one => one.geometry.coordinates.length), night.map(one => one.geometry.length).reverse()));
    await fits(page, 'travel');
    await accessible(page, 'travel, ' + language);
    await picture(page, 'travel-' + language);
    assert.ok((await text(page)).includes(say('travel.about')));
    assert.ok(!(await text(page)).includes('[object'), 'elements, not their names');
    await openPanel(page, 'scores');
    assert.equal((await rings(page)).length, 0, 'another panel takes them away');
    await leave(session);
  }
});

test('the way to work, typed or clicked, in the link and among compared places', async () => {
  const session = await open({ drawn: true }), say = translator('en'), page = await look(session, `map=15/45.2/-72.8&at=${north}&panel=travel&lang=en&with=45.2,-72.7995`);
  await page.click(`button:text-is("${say('travel.work.choose')}")`);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search-field', 'one types it');
  await page.keyboard.type(bank);
  await renewed(page, '#panel [data-panel]', () => page.keyboard.press('Enter'));
  await page.waitForSelector('.commute');
  assert.match(page.url(), /work=45\.2006,-72\.8009/);
  assert.match(page.url(), new RegExp('at=' + north), 'the place stays');
  const { data } = await answerOf(page, `/explore/api/travel-times?from=${north}&to=${bank}&mode=transit&day=tuesday&depart=08:00&legs=true`);
  assert.equal(await page.locator('.commute strong').innerText(), say('travel.min', { minutes: data.results[0].minutes }));
  assert.equal(await page.locator('.legs li').count(), data.results[0].legs.length);
  assert.ok((await page.locator('.legs').innerText()).includes('5 from Rue Principale to Rive nord'));
  assert.ok((await drawnOn(page)).some(one => one.properties.label === say('travel.work.here')), 'it is on the map');
  await accessible(page, 'work');
  await picture(page, 'travel-work');
  await openPanel(page, 'compare');
  const row = await page.locator('table', { hasText: say('travel.work.to') }).innerText();
  assert.ok(row.includes(say('travel.min', { minutes: data.results[0].minutes })), row);
  await picture(page, 'travel-compare');
  await openPanel(page, 'travel');
  await page.click(`button:text-is("${say('travel.work.other')}")`);
  await mapOf(page, () => true);
  await renewed(page, '#panel [data-panel]', () => page.locator('#map canvas').click({ position: { x: 500, y: 300 } }));
  assert.ok(!page.url().includes('work=45.2006'), 'a click chooses another one');
  const again = await look(session, new URL(page.url()).hash.slice(1));
  await again.waitForSelector('.commute');
  await renewed(again, '#panel [data-panel]', () => again.click(`button:text-is("${say('travel.work.clear')}")`));
  assert.ok(!again.url().includes('work='));
  await leave(session);
});

test('an area has the times from its homes, and an account without the product hears that it has none', async () => {
  const session = await open(), say = translator('en'), page = await look(session, 'in=g10_vieuxnord0&panel=travel&travel=walk&lang=en');
  const { data } = await answerOf(page, '/explore/api/travel-times/g10_vieuxnord0?mode=walk&language=en');
  await page.waitForSelector('#panel table.plain');
  assert.equal(await page.locator('#panel table.plain tbody tr').count(), data.centres.length);
  assert.ok((await text(page)).includes(say('travel.own', { name: 'Northville' })));
  await accessible(page, 'centres');
  await leave(session);
  const few = await visit(await siteOf('few')), other = await look(few, `at=${north}&panel=travel&lang=en`);
  assert.ok((await text(other)).includes(say('error.product')));
  await leave(few);
});
