// The explorer where something is wrong or little is known. QUARTIER_CONTROL is the server that makes it so: its sites are full (10,000
// places, names with markup, market statistics), sparse (one record of most kinds), slow (one request a second) and few (two products
// in one province).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, drawnOn, enter, eventually, fits, leave, look, mapOf, openPanel, panelShown, phone, picture, renewed, shared, shows, visit } from './open.mjs';

const control = process.env.QUARTIER_CONTROL;
const north = '45.2,-72.8', south = '44.8,-72.8', wild = '45.8,-71.8', hostile = `L'Île <b>"d'Or"</b> & Cie`;

const ask = async (site, what, method = 'POST') => {
  const answer = await fetch(`${control}/${site}/${what}`, { method }), text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
};
const open = async (site, options) => visit(await enter(await shared(), await ask(site, 'link', 'GET')), options);
const saying = (page, selector, text) => page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent.includes(text), [selector, text]);

test('names with markup are shown as they are written', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language, size: phone }), page = await look(session, `at=${north}&lang=${language}`);
    assert.ok((await page.locator('.crumbs').innerText()).includes(hostile), 'in the breadcrumb');
    await page.fill('#search-field', `L'Île`);
    await page.waitForSelector('#search-list [role=option]');
    assert.ok((await page.locator('#search-list').innerText()).includes(hostile), 'in the suggestions');
    await renewed(page, '#panel [data-panel]', () => page.keyboard.press('Enter'));
    assert.equal(await page.locator('.place-head h2').textContent(), hostile);
    assert.ok((await page.title()).includes(hostile));
    for (const id of ['people', 'market', 'profile', 'schools', 'compare']) {
      await openPanel(page, id);
      assert.equal(await page.locator('#place b:has-text("d\'Or"), #search-list b:has-text("d\'Or")').count(), 0, `${id}: markup of a name is no element`);
    }
    assert.ok((await page.locator('#live').textContent()).includes(hostile));
    await fits(page, 'a long name');
    await accessible(page, 'names with markup');
    await leave(session, { refused: true });
  }
});

test('10,000 places in view', async t => {
  const session = await open('full', { drawn: true }), page = await look(session, `map=14/${north.replace(',', '/')}&at=${north}&panel=pois`);
  const select = page.locator('#panel select'), largest = await select.locator('option').last().getAttribute('value');
  await renewed(page, '#panel details', () => select.selectOption(largest));
  const say = translator('en');
  let begun = performance.now();
  await page.locator('#panel summary').first().click();
  await page.waitForSelector('#panel details[open] li');
  t.diagnostic(`a category is open after ${Math.round(performance.now() - begun)} ms`);
  assert.ok(await page.locator('#panel details[open] li').count() <= 500, 'an answer has at most 500');
  assert.ok((await page.locator('#panel').innerText()).includes(say('pois.more', { limit: 500 })), 'what is left out is said');
  await accessible(page, '10,000 places');
  // The map draws all of them, and names the one under the pointer as it is written.
  assert.equal(await mapOf(page, map => map.queryRenderedFeatures({ layers: ['pois'] }).length), 10_000);
  const middle = await mapOf(page, map => { const { x, y, width, height } = map.getCanvas().getBoundingClientRect(); return [x + width / 2, y + height / 2]; });
  await page.mouse.move(middle[0] + 2, middle[1] + 2);
  await page.waitForSelector('.map-tip:not([hidden])');
  assert.equal(await page.locator('.map-tip').innerText(), hostile);
  assert.equal(await page.locator('.map-tip *').count(), 0, 'markup of a name is no element');
  await openPanel(page, 'scores');
  begun = performance.now();
  await renewed(page, '#panel [data-panel=pois]', () => page.mouse.click(middle[0] + 40, middle[1] + 30)); // one of them
  t.diagnostic(`a click among them is answered after ${Math.round(performance.now() - begun)} ms`);
  await mapOf(page, map => map.jumpTo({ zoom: 16 }));
  await shows(page, 'names-pois');
  await leave(session);
});

test('a session that ends is said in words, and a new link goes on', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language, drawn: true }), say = translator(language);
    let ended;
    const end = new Promise(done => { ended = done; });
    await session.context.route('**/files/compare.js', async route => { await end; await route.continue(); }); // a panel that is not loaded before
    const page = await look(session, `at=${north}&lang=${language}`);
    await mapOf(page, () => {});
    // This server has the packs alone.
    await page.click('button[data-score=cafes]');
    await saying(page, '.why-row [role=alert]', say('error.not_explained'));
    await ask('full', 'end');
    ended();
    await page.click('button[data-score=parks]');
    await saying(page, '.why-row [role=alert]', say('error.session_ended'));
    for (const id of ['people', 'compare']) {
      await openPanel(page, id);
      await saying(page, '#panel [role=alert]', say('error.session_ended'));
    }
    await page.fill('#search-field', 'Northville');
    await saying(page, '.search-status', say('error.session_ended'));
    await page.evaluate(at => globalThis.theMap.jumpTo({ center: at, zoom: 14 }), south.split(',').map(Number).reverse());
    await saying(page, '#notice', say('error.session_ended'));
    await page.keyboard.press('Escape');
    await page.locator('#map canvas').focus();
    await page.keyboard.press('Enter');
    await saying(page, '.place-head [role=alert]', say('error.session_ended'));
    await accessible(page, 'the session has ended');
    await picture(page, 'session-ended-' + language);
    await leave(session, { refused: true });
    const again = await open('full', { language });
    await look(again, `at=${north}&lang=${language}&panel=market`);
    await leave(again, { refused: true });
  }
});

test('a name that is nearly one is asked about, and Enter does not go there', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language, size: phone }), page = await look(session, `lang=${language}`), say = translator(language), city = language === 'fr' ? 'Villenord' : 'Northville';
    const typed = city.slice(0, 3) + city[4] + city[3] + city.slice(5) + '<b>';
    await page.waitForSelector('#attribution p');
    await page.fill('#search-field', typed);
    await saying(page, '.search-meant', say('search.meant'));
    await saying(page, '.search-status', say('search.none', { text: typed }));
    assert.match(await page.locator('.search-meant button').first().innerText(), new RegExp(city + '[^]*Qu[eé]bec'), 'with its province');
    await accessible(page, 'a near miss');
    await picture(page, 'near-miss-' + language);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.matches('.search-meant button'));
    assert.doesNotMatch(await page.evaluate(() => location.hash), /in=|at=/, 'nothing was chosen');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement.id === 'search-field' && document.activeElement.value === '');
    await page.fill('#search-field', typed);
    await page.click('.search-meant button');
    await page.waitForFunction(name => document.querySelector('.place-head h2')?.textContent === name, city);
    await fits(page, 'a near miss');
    await leave(session);
  }
});

test('points of interest and postal codes are found in groups, and a point of interest is its point with its name', async () => {
  const session = await open('full'), page = await look(session, `at=${north}`), say = translator('en');
  await page.fill('#search-field', 'place 1');
  await page.waitForSelector('#search-list [role=option]');
  await accessible(page, 'points of interest');
  await picture(page, 'search-pois');
  const name = await page.locator('#search-list .name').first().innerText(), before = await page.evaluate(() => location.hash);
  if (name.toLowerCase() !== 'place 1') {
    await page.keyboard.press('Enter');
    await page.waitForSelector('#search-list [aria-selected=true]');
    assert.equal(await page.evaluate(() => location.hash), before, 'a name that only begins so is not gone to at once');
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(name => document.querySelector('.place-head h2')?.textContent === name, name);
  assert.match(await page.evaluate(() => location.hash), /at=4[45]\./);
  await page.fill('#search-field', 'old');
  await page.waitForSelector('#search-list [role=option]');
  await page.fill('#search-field', 'J0J 1K2');
  await page.waitForFunction(() => document.querySelector('#search-list .name')?.textContent === 'J0J');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.place-head h2')?.textContent === 'J0J');
  await page.fill('#search-field', 'x'.repeat(10_000));
  await page.waitForFunction(() => !document.querySelector('#search-list [role=option]') && document.querySelector('.search-status').textContent);
  await leave(session, { refused: true });
});

test('a limit is said in words, with when to try again', async () => {
  const session = await open('slow'), page = await look(session), say = translator('en');
  await page.waitForSelector('#map canvas, .no-map');
  await page.fill('#search-field', south.replace(',', ', '));
  await page.keyboard.press('Enter');
  // Requests of the account, of which one a second is allowed, are sent until the page is refused its own.
  const tooMany = await page.waitForFunction(said => {
    const why = [...document.querySelectorAll('#place [role=alert]')].map(one => one.textContent).find(text => text.includes(said));
    if (why) return why;
    for (let i = 0; i < 4; i++) fetch('api/scores?lat=45.2&lng=-72.8').catch(() => {});
    const tabs = document.querySelectorAll('[role=tab][aria-selected=false]');
    tabs[Math.floor(Math.random() * tabs.length)]?.click();
    return false;
  }, say('error.too_many'), { polling: 100 });
  assert.match(await tooMany.jsonValue(), /\d+ s\./, 'with the seconds to wait');
  // What was refused can be asked again.
  await page.waitForFunction(() => {
    if (document.querySelector('#panel [data-panel]')?.checkVisibility() && !document.querySelector('#place [role=alert]')) return true;
    const tab = document.querySelector('[role=tab][aria-selected=true]');
    if (tab?.checkVisibility()) tab.click();
    else document.querySelector('#search-field').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    return false;
  }, null, { polling: 1500 });
  await leave(session, { refused: true });
});

test('a release that is swapped while one looks is noticed, and all is asked again', async () => {
  const session = await open('full', { drawn: true }), page = await look(session, `at=${north}`), say = translator('en');
  await mapOf(page, () => {}); // so that no answer of the release before is on its way
  const before = await page.locator('#attribution').innerText();
  await ask('full', 'swap');
  await openPanel(page, 'schools');
  await page.waitForFunction(before => document.querySelector('#attribution').innerText !== before, before);
  await saying(page, '#notice', say('release.swapped', { date: '' }).slice(0, 40));
  await panelShown(page, 'schools');
  await openPanel(page, 'scores');
  assert.ok(await page.locator('#panel table.bars').count() > 0);
  await leave(session, { refused: true });
});

test('a region with little says what it has not', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('sparse', { language, size: phone }), say = translator(language);
    const page = await look(session, `at=${north}&lang=${language}`);
    const panel = page.locator('#panel');
    assert.equal(await page.locator('#panel rect.bar').count(), 1, 'the one score that is known');
    assert.equal((await panel.innerText()).split(say('score.missing')).length - 1, 17, 'the others are said to be unknown');
    await openPanel(page, 'people');
    assert.match(await panel.innerText(), new RegExp(say('demographics.missing', { list: '|' }).split('|')[0]));
    await openPanel(page, 'market');
    assert.ok((await panel.innerText()).includes(say('market.none')));
    for (const id of ['scores', 'people', 'market', 'pois', 'schools', 'profile', 'compare']) {
      await openPanel(page, id);
      assert.equal(await page.locator('#panel [role=alert]').count(), 0, id);
      assert.ok(!/NaN|undefined|null|Infinity/.test(await panel.innerText()), id);
      if (language === 'fr') await accessible(page, id);
      await picture(page, `sparse-${id}-${language}`);
    }
    await leave(session, { refused: true });
    const away = await open('sparse', { language }), nowhere = await away.context.newPage();
    await nowhere.goto(`${away.origin}/explore/#at=10,10&lang=${language}`);
    await saying(nowhere, '.place-head [role=alert]', say('error.not_found'));
    await leave(away, { refused: true });
  }
});

test('a place without streets, people, places, schools or market says so', async () => {
  const nothing = { scores: 'scores.none', people: 'demographics.none', market: 'market.none', pois: 'pois.none', schools: 'schools.none', profile: 'profile.none' };
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language, size: phone }), say = translator(language), page = await look(session, `at=${wild}&lang=${language}`);
    for (const [id, key] of Object.entries(nothing)) {
      await openPanel(page, id);
      const said = await page.locator('#panel').innerText();
      assert.ok(said.includes(say(key)), `${id}: ${said}`);
      assert.equal(await page.locator('#panel :is(rect.bar, path.whisker, ul.places li, article)').count(), 0, `${id}: nothing is invented`);
    }
    await accessible(page, 'a place without anything');
    await leave(session);
  }
});

test('what counted outside of the regions of the account has no name and no line', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('border', { language, drawn: true }), say = translator(language), page = await look(session, `at=${north}&lang=${language}`);
    await page.click('button[data-score=cafes]');
    await page.waitForSelector('.why-content');
    const rows = await page.locator('.why-content table tbody tr').evaluateAll(all => all.map(row => row.cells[0].firstChild.textContent));
    assert.deepEqual(rows, [hostile, say('why.nameless'), 'Café du Nord']);
    assert.ok(!(await page.content()).includes('Southern Beans'));
    const drawn = await drawnOn(page);
    assert.deepEqual(drawn.filter(one => one.properties.role === 'link').map(one => one.properties.weight.toFixed(3)), ['1.000', '0.111'], 'a line for each that has a place, as wide as it counts');
    assert.deepEqual(drawn.filter(one => one.properties.role === 'place').map(one => one.properties.label.split('\n')[0]), [hostile, 'Café du Nord']);
    // Tiles have all regions, so that the account gets none: outlines are those of the API.
    assert.equal(await page.locator('.map-note').innerText(), say('map.no_tiles'));
    await eventually(async () => assert.ok((await mapOf(page, async map => (await map.getSource('chosen').getData()).features)).length > 0, 'outlines of the API are drawn'));
    await page.selectOption('#heat-score', 'cafes');
    await saying(page, '#heat .legend-words', say('heat.missing'));
    await page.click('button[data-score=quiet]');
    await saying(page, '.why-row', say('why.none'));
    assert.deepEqual(await drawnOn(page), [], 'of what is not known nothing is drawn');
    await accessible(page, 'what counted, of some regions');
    await leave(session);
  }
});

test('what the agreement has not is said', async () => {
  const session = await open('few'), page = await look(session, `at=${north}`), say = translator('en');
  for (const id of ['people', 'market', 'pois', 'schools', 'profile']) {
    await openPanel(page, id);
    assert.ok((await page.locator('#panel').innerText()).includes(say('error.product')), id);
  }
  await page.fill('#search-field', south.replace(',', ', '));
  await page.keyboard.press('Enter');
  await saying(page, '#place [role=alert]', say('error.region'));
  await leave(session, { refused: true });
});
