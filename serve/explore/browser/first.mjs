// What one sees first, and by a link. QUARTIER_CONTROL has the site first, a release of three regions: Vermont, Northville, and one
// without streets of which no geography has the name. Times are printed and decide nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, desktop, enter, eventually, fits, leave, look, mapOf, openPanel, panelShown, picture, shared, visit } from './open.mjs';

const control = process.env.QUARTIER_CONTROL;
const north = '45.2,-72.8', south = '44.8,-72.8', streetless = '45.8,-71.8';
const telephone = { width: 390, height: 844 }, narrow = { width: 360, height: 740 };
let entered;
const open = async options => visit(await (entered ??= fetch(`${control}/first/link`).then(answer => answer.text()).then(async link => enter(await shared(), link))), options);
const title = page => page.locator('.place-head h2').innerText();
const hash = page => page.evaluate(() => location.hash);

test('the regions of a release, and places to begin with', async () => {
  for (const [language, size] of [['en', desktop], ['fr', telephone]]) {
    const session = await open({ language, size, drawn: true }), page = await look(session, `lang=${language}`), say = translator(language);
    await page.waitForSelector('.card svg circle');
    const { regions, starts } = await page.evaluate(async () => (await fetch('release.json')).json());
    assert.deepEqual(await page.locator('.card-name').allInnerTexts(), regions.map(one => one.title[language]));
    assert.deepEqual(regions.map(one => one.name), ['us-vermont', 'ca-elsewhere', 'ca-northville']);
    assert.deepEqual(await page.locator('.starts bdi').allInnerTexts(), starts.map(one => one.name[language]));
    const center = await mapOf(page, map => [map.getCenter().toArray(), map.getZoom()]);
    assert.ok(Math.hypot(center[0][0] - starts[0].lng, center[0][1] - starts[0].lat) < 1e-3, 'the page opens on the first');
    assert.ok(Math.abs(center[1] - starts[0].zoom) < 0.01);
    await fits(page, 'the regions');
    await accessible(page, 'the regions');
    await picture(page, 'first-' + language);
    await page.locator('.card').nth(2).click();
    await panelShown(page);
    assert.equal(await title(page), regions[2].starts[0].name[language]);
    await eventually(async () => {
      const zoom = await mapOf(page, map => map.getZoom());
      assert.ok(Math.abs(zoom - regions[2].starts[0].zoom) < 0.01, `the map goes to the region: zoom ${zoom}`);
    });
    assert.ok((await page.locator('.unknown summary').innerText()).includes(say('region.unknown', { list: '' }).trim()));
    await leave(session);
  }
});

test('a point outside says where the next region is', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open({ language }), page = await session.context.newPage(), say = translator(language);
    await page.goto(`${session.origin}/explore/#at=43,-72.8&lang=${language}`);
    const said = await page.locator('.outside').innerText();
    assert.ok(said.includes(say('region.direction.0')) && said.includes('Vermont') && /\b178\b/.test(said), said);
    await accessible(page, 'outside');
    await page.click('.outside button');
    await panelShown(page);
    assert.equal(await title(page), 'Southville');
    await leave(session, { refused: true });
  }
});

test('a place without streets opens on what is known there', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open({ language }), page = await look(session, `at=${streetless}&lang=${language}`), say = translator(language);
    assert.notEqual(await page.locator('[role=tab][aria-selected=true]').getAttribute('id'), 'tab-scores');
    await page.click('.unknown summary');
    const why = await page.locator('.unknown li').allInnerTexts();
    assert.ok(why.some(line => line.includes(say('region.why.no_streets')) && line.includes('osm')), why.join('\n'));
    await openPanel(page, 'scores');
    assert.ok((await page.locator('#panel .lack').innerText()).includes('osm'), 'the panel says which source would give it');
    await page.goto(`${session.origin}/explore/#at=${streetless}&panel=scores&lang=${language}`);
    await page.reload();
    await panelShown(page, 'scores');
    await accessible(page, 'without streets');
    await leave(session);
  }
});

test('each choice is a step of the history, without loading the page again', async () => {
  const session = await open({ drawn: true, language: 'en' }), page = await look(session, 'lang=en'), shown = [];
  await mapOf(page, () => { globalThis.stays = true; });
  const state = async () => ({
    hash: (await hash(page)).replace(/map=[^&]*&?/, ''), language: await page.evaluate(() => document.documentElement.lang),
    place: await page.locator('.place-head').innerText(), heat: await page.inputValue('#heat-score'), title: await page.title(),
    tab: await page.locator('[role=tab][aria-selected=true]').allInnerTexts(),
  });
  const step = async (act, wait) => {
    await act();
    await page.waitForFunction(wait);
    await eventually(async () => assert.equal(await page.locator('#panel [aria-busy], .skeleton:visible').count(), 0));
    await mapOf(page, () => {});
    shown.push(await state());
  };
  const search = text => async () => { await page.fill('#search-field', text); await page.keyboard.press('Enter'); };
  await step(async () => {}, () => document.querySelector('.card'));
  await step(search(north.replace(',', ', ')), () => location.hash.includes('at=45.2') && document.querySelector('#panel [data-panel=scores]'));
  await step(() => page.click('#tab-people'), () => document.querySelector('#panel [data-panel=people]'));
  await step(() => page.selectOption('#heat-score', 'cafes'), () => location.hash.includes('heat=cafes'));
  await step(() => page.click('.languages button[lang=fr]'), () => document.documentElement.lang === 'fr' && /Démographie/.test(document.querySelector('#panel').innerText));
  await step(search(south.replace(',', ', ')), () => location.hash.includes('at=44.8') && document.querySelector('.crumbs')?.innerText.includes('Southville'));
  // Movements of the map are no steps.
  await mapOf(page, map => map.jumpTo({ center: [-72.81, 44.81], zoom: 12 }));
  await page.waitForFunction(() => location.hash.includes('map=12/44.81'));
  const same = async (wanted, where) => {
    await eventually(async () => assert.deepEqual(await state(), wanted, where));
    assert.ok(await page.evaluate(() => globalThis.stays), where + ': the page was loaded again');
  };
  for (let i = shown.length - 2; i >= 0; i--) {
    await page.goBack();
    await same(shown[i], `${i} steps from the start, by Back`);
  }
  await page.waitForSelector('.card');
  for (let i = 1; i < shown.length; i++) {
    await page.goForward();
    await same(shown[i], `${i} steps from the start, by Forward`);
  }
  await page.waitForFunction(() => location.hash.includes('map=12/44.81'));
  await eventually(async () => assert.equal(await mapOf(page, map => map.getZoom()), 12, 'the map is where it was'));
  // The address is edited.
  await page.evaluate(() => { location.hash = '#at=45.2,-72.8&panel=schools&lang=en&map=13/45.2/-72.8'; });
  await panelShown(page, 'schools');
  await eventually(async () => assert.equal(await mapOf(page, map => map.getZoom()), 13));
  assert.ok(await page.evaluate(() => globalThis.stays));
  assert.equal(await page.locator('#panel h3').first().innerText(), 'Schools');
  await leave(session);
});

test('a link asks for its place before the library of the map is asked for', async t => {
  const session = await open({ language: 'fr' }), page = await session.context.newPage(), devtools = await session.context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 50, downloadThroughput: 50_000, uploadThroughput: 50_000 });
  const order = [];
  page.on('request', request => order.push(new URL(request.url()).pathname));
  page.on('requestfinished', request => order.push('done ' + new URL(request.url()).pathname));
  const begun = performance.now();
  await page.goto(`${session.origin}/explore/#at=${north}`, { waitUntil: 'commit' });
  await page.waitForSelector('#panel rect.bar');
  const [paint, bytes] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, one) => sum + one.transferSize, 0)]);
  t.diagnostic(`50 kB/s, 50 ms: the scores after ${Math.round(performance.now() - begun)} ms, first paint after ${Math.round(paint)} ms, ${Math.round(bytes / 1000)} kB until then`);
  assert.ok(bytes < 110_000, `${bytes} bytes before the scores`);
  const scores = order.indexOf('done /explore/api/scores');
  await eventually(async () => assert.ok(order.some(path => path.includes('maplibre')), 'the library is asked for'));
  const library = order.findIndex(path => path.includes('maplibre'));
  assert.ok(scores >= 0 && (library < 0 || library > scores), order.join('\n'));
  for (const path of ['/explore/release.json', '/explore/api/geographies', '/explore/api/scores']) assert.equal(order.filter(one => one === path).length, 1, path + ' is asked once');
  await session.context.close();
});

test('the sheet of a telephone', async () => {
  for (const size of [telephone, narrow]) {
    const session = await open({ language: 'fr', size, hasTouch: true }), page = await look(session, `at=${north}&lang=fr`), say = translator('fr');
    await page.waitForSelector('#map canvas, .no-map');
    await page.waitForSelector('.keys li');
    const box = selector => page.locator(selector).first().boundingBox();
    for (const selector of ['.keys li:last-child', '[role=tab]', '#map-region']) {
      const { y, height } = await box(selector);
      assert.ok(y >= 0 && y + height <= size.height, `${selector} is on the first screen`);
    }
    const tops = await page.locator('[role=tab]').evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().top)).size);
    assert.equal(tops, 1, 'the tabs are in one row');
    await fits(page, 'the sheet');
    await accessible(page, 'the sheet');
    await picture(page, 'sheet-' + size.width);
    const handle = page.locator('#sheet-handle'), tall = async () => (await box('#sheet')).height, main = (await box('main')).height;
    const settled = async wanted => eventually(async () => assert.ok(Math.abs(await tall() / main - wanted) < 0.08, `the sheet has ${(await tall() / main).toFixed(2)} of the window, not ${wanted}`));
    await settled(0.58);
    assert.ok((await handle.getAttribute('aria-label')).includes(say('sheet.half')));
    await handle.press('Enter');
    await settled(1);
    await accessible(page, 'the whole sheet');
    await handle.press('ArrowDown');
    await settled(0.58);
    await handle.press('ArrowDown');
    await settled(150 / main);
    assert.ok((await handle.getAttribute('aria-label')).includes(say('sheet.low')));
    const { x, y, width } = await handle.boundingBox();
    await page.mouse.move(x + width / 2, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y - 100, { steps: 4 });
    await page.mouse.move(x + width / 2, 90, { steps: 4 });
    await page.mouse.up();
    await settled(1);
    await leave(session);
  }
});

test('enlarged to 200 %, all is reached and nothing is cut', async () => {
  const session = await open({ language: 'fr', size: { width: 640, height: 430 } }), page = await look(session, `at=${north}&lang=fr`);
  for (const id of ['people', 'compare', 'scores']) {
    await openPanel(page, id);
    await fits(page, id);
    await accessible(page, id);
  }
  await picture(page, 'enlarged');
  await leave(session);
});

test('names of regions and places are text, of any length and direction', async () => {
  const evil = '<img src=x onerror="throw 1">\u202e' + 'مدينة '.repeat(2) + 'W'.repeat(10_000), session = await open({ size: telephone });
  await session.context.route('**/release.json', async route => {
    const answer = await route.fetch(), body = await answer.json();
    for (const one of [...body.regions, ...body.starts, ...body.regions.flatMap(region => region.starts)]) (one.title ?? one.name).en = evil;
    for (const one of body.starts) one.name.en = evil;
    await route.fulfill({ response: answer, json: body });
  });
  const page = await look(session, 'lang=en');
  await page.waitForSelector('.card svg');
  assert.equal(await page.locator('#place img').count(), 0, 'markup is no element');
  assert.ok((await page.locator('.card-name').first().textContent()).startsWith('<img src=x'));
  assert.ok((await page.locator('.card').first().boundingBox()).height < 200, 'a long name is cut');
  await fits(page, 'long names');
  await accessible(page, 'long names');
  await page.goto(`${session.origin}/explore/#at=10,10&lang=en`);
  await page.waitForSelector('.outside button');
  await fits(page, 'outside, with a long name');
  assert.ok((await page.locator('.outside').boundingBox()).height < 400);
  await leave(session, { refused: true });
});
