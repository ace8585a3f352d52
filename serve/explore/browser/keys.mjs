// The explorer by keyboard alone and as a screen reader has it: the search, what counted, the heat layer, every panel; with reduced
// motion, and with the colours of the system. Variables as of panels.mjs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups } from '../page/files/suggest.js';
import { translator } from '../page/files/words.js';
import { accessible, answerOf, leave, look, mapOf, openPanel, panelShown, picture, places, released, renewed, suggest, visit } from './open.mjs';

// to presses Tab until the element of a selector has the focus.
async function to(page, selector, key = 'Tab') {
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate(selector => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`Tab does not reach ${selector}`);
}

const saying = (page, selector, text) => page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent.includes(text), [selector, text]);

test('suggestions of the search by keyboard', async () => {
  const language = 'fr', session = await visit(await released(), { language }), page = await look(session, `lang=${language}`), say = translator(language), press = key => page.keyboard.press(key);
  const field = page.locator('#search-field'), options = page.locator('#search-list [role=option]');
  const state = async () => ({ open: await field.getAttribute('aria-expanded'), active: await field.getAttribute('aria-activedescendant'), chosen: await options.evaluateAll(all => all.findIndex(one => one.ariaSelected === 'true')) });
  await field.focus();
  await suggest(page, 'saint-au');
  const view = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('map')?.split('/').map(Number));
  const { starts: [{ zoom, lat, lng }] } = await answerOf(page, '/explore/release.json'), near = view ?? [zoom, lat, lng];
  const around = `&zoom=${Math.round(near[0])}&lat=${near[1].toFixed(2)}&lng=${near[2].toFixed(2)}`;
  const { results } = await answerOf(page, `/explore/search?q=saint-au&language=${language}&limit=8${around}`);
  const found = groups(results).flatMap(group => group.items.map(one => one.name));
  assert.deepEqual(await options.locator('.name').allInnerTexts(), found, 'the suggestions are what was found, by kind');
  assert.equal(await page.locator('#search [role=status]').textContent(), say('search.count', { count: found.length }), 'their number is said');
  assert.deepEqual(await state(), { open: 'true', active: null, chosen: -1 });
  await press('ArrowDown');
  await press('ArrowDown');
  assert.deepEqual(await state(), { open: 'true', active: 'search-1', chosen: 1 });
  await press('ArrowUp');
  await press('ArrowUp');
  assert.deepEqual(await state(), { open: 'true', active: `search-${found.length - 1}`, chosen: found.length - 1 }, 'above the first is the last');
  await press('Escape');
  assert.deepEqual([(await state()).open, await field.inputValue()], ['false', 'saint-au'], 'Escape closes the list');
  await press('Escape');
  assert.equal(await field.inputValue(), '', 'and then empties the field');
  await page.keyboard.type('zzqx');
  await saying(page, '.search-status', say('search.none', { text: 'zzqx' }));
  await press('Escape');
  await suggest(page, found[1]);
  assert.equal(await options.locator('.name').first().innerText(), found[1]);
  await press('ArrowDown');
  await press('Enter');
  await page.waitForFunction(name => document.querySelector('.place-head h2')?.innerText === name, found[1]);
  await panelShown(page);
  assert.equal((await state()).open, 'false');
  await leave(session);
});

test('what is still to be asked when one chooses is not offered later', async () => {
  const session = await visit(await released()), page = await look(session, 'lang=en');
  await page.waitForSelector('#map canvas, .no-map');
  await page.locator('#search-field').focus();
  await suggest(page, places.search);
  // A letter is taken away, and what is offered for the text before is chosen within the pause after which the server is asked.
  const asked = await page.evaluate(async () => {
    const field = document.querySelector('#search-field'), { fetch } = globalThis, asked = [];
    const press = key => field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    globalThis.fetch = (path, ...rest) => { asked.push(String(path)); return fetch(path, ...rest); };
    field.value = field.value.slice(0, -1);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    press('ArrowDown');
    press('Enter');
    await new Promise(done => setTimeout(done, 200)); // ends after the pause, a shorter timer that began before
    return asked;
  });
  await panelShown(page, 'scores');
  assert.deepEqual(asked.filter(path => path.includes('q=')), []);
  assert.equal(await page.getAttribute('#search-field', 'aria-expanded'), 'false');
  await leave(session);
});

test('what counted, colours, lists and comparing by keyboard', async () => {
  const session = await visit(await released(), { drawn: true }), page = await look(session, `at=${places.home}&lang=en`), press = key => page.keyboard.press(key), say = translator('en');
  await page.locator('#place').focus();
  await to(page, 'button[data-score=cafes]');
  await press('Enter');
  await page.waitForSelector('.why-content table');
  await to(page, '.why-content summary');
  await press('Enter');
  assert.ok(await page.locator('.why-content details[open] .formula').first().isVisible(), 'the formula opens');
  await to(page, 'button[data-score=cafes]', 'Shift+Tab');
  await press('Enter');
  await page.waitForSelector('.why-content', { state: 'detached' });
  await to(page, '#heat-score', 'Shift+Tab');
  // A list is chosen from by first letters, each time the next one that has it.
  for (let i = 0; i < 3 && await page.inputValue('#heat-score') !== 'cafes'; i++) await press('c');
  assert.match(await page.evaluate(() => location.hash), /heat=cafes/);
  await page.waitForSelector('#heat .legend-words li');
  await to(page, '[role=tab][aria-selected=true]');
  const tab = async id => {
    await to(page, '[role=tab]', 'Shift+Tab');
    while (!await page.evaluate(id => document.activeElement.id === 'tab-' + id, id)) await press('ArrowRight');
    await panelShown(page, id);
  };
  await tab('pois');
  await to(page, '#pois-radius');
  await renewed(page, '#panel details', () => press('ArrowUp'));
  await to(page, '#panel summary');
  await press('Enter');
  await page.waitForSelector('#panel details[open] li');
  await to(page, '#panel .on-map');
  await press('Enter');
  await tab('schools');
  await to(page, '#panel ul.places button');
  await press('Enter');
  await page.waitForFunction(async () => (await globalThis.theMap.getSource('drawn').getData()).features.some(one => one.properties.role === 'catchment'));
  await tab('profile');
  await to(page, '#panel summary');
  await press('Enter');
  assert.equal(await page.locator('#panel details[open] article').count(), 1, 'the other language opens');
  await tab('compare');
  await to(page, '#panel button');
  await press('Enter');
  await saying(page, '#notice', say('compare.pick'));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search-field', 'the search waits for the second place');
  await suggest(page, places.search);
  await press('Enter');
  await page.waitForSelector('#panel table.pairs');
  await page.locator('#place').focus();
  await to(page, '.crumbs button');
  await press('Enter');
  await page.waitForFunction(() => document.querySelector('.crumbs [aria-current=true]') === document.querySelector('.crumbs button'));
  await leave(session);
  const abroad = await visit(await released()), market = await look(abroad, `at=${places.abroad}&panel=market&lang=en`);
  await market.locator('#panel').focus();
  await to(market, '#panel input[type=radio]');
  await market.keyboard.press('ArrowRight');
  await market.waitForFunction(() => document.querySelectorAll('#panel figure.over:first-of-type details tbody tr').length === 20);
  await to(market, '#panel figure summary');
  await market.keyboard.press('Enter');
  assert.ok(await market.locator('#panel figure details[open] table').first().isVisible(), 'the table of a chart opens');
  await leave(abroad);
});

// zooms presses the button that zooms in, and reports whether the map then moves.
const zooms = (page, name) => page.evaluate(name => {
  document.querySelector(`.zoom button[aria-label="${name}"]`).click();
  return globalThis.theMap.isMoving();
}, name);

test('landmarks, names and live texts for a screen reader', async () => {
  for (const language of ['en', 'fr']) {
    const session = await visit(await released(), { language, drawn: true }), say = translator(language), page = await look(session, `map=14/${places.home.replace(',', '/')}&lang=${language}`);
    await mapOf(page, () => {});
    // With reduced motion the map is there at once; without, it moves.
    if (language === 'fr') await page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.equal(await zooms(page, say('map.in')), language === 'fr', 'reduced motion');
    assert.equal(await mapOf(page, map => map.getZoom()), 15);
    const tree = await page.locator('body').ariaSnapshot();
    for (const [role, name] of [['link', say('skip')], ['heading', say('title')], ['combobox', say('search.label')], ['group', say('language')], ['region', say('map.title')], ['region', say('map.canvas')], ['region', say('place.region')], ['combobox', say('heat.label')]]) {
      assert.ok(tree.replaceAll('\u00a0', ' ').includes(`${role} "${name.replaceAll('\u00a0', ' ')}"`), `${role} ${name} is not in\n${tree}`);
    }
    for (const role of ['banner', 'search', 'main', 'contentinfo', 'status']) assert.match(tree, new RegExp(`^\\s*- ${role}`, 'm'), `${role} is not in\n${tree}`);
    assert.equal(await page.locator('main').count(), 1);
    const live = page.locator('#live');
    assert.deepEqual([await live.getAttribute('role'), await live.getAttribute('aria-live'), await live.textContent()], ['status', 'polite', '']);
    await page.locator('#map canvas').focus();
    await page.keyboard.press('Enter');
    await panelShown(page, 'scores');
    const name = await page.locator('.place-head h2').innerText();
    assert.ok((await live.textContent()).startsWith(name + ', '), 'the place that was clicked is said');
    const panel = page.locator('[role=tabpanel]');
    assert.equal(await panel.getAttribute('aria-labelledby'), 'tab-scores');
    assert.equal(await page.locator('[role=tab][aria-selected=true]').innerText(), say('panel.scores'));
    assert.equal(await page.locator('nav.crumbs').getAttribute('aria-label'), say('place.levels'));
    // Whatever is drawn is hidden, and has its numbers beside it or in a table.
    for (const id of ['scores', 'people']) {
      await openPanel(page, id);
      assert.equal(await page.locator('#panel svg:not([aria-hidden=true]):not([role=img])').count(), 0, 'drawings without a text');
      assert.equal(await page.locator('#panel tr:has(rect.bar) :is(.number):empty').count(), 0, 'bars without a number');
    }
    await leave(session);
  }
});

test('the colours of the system', async () => {
  const session = await visit(await released(), { forcedColors: 'active' }), page = await look(session, `at=${places.home}&heat=cafes&lang=en`);
  const colours = await page.evaluate(() => {
    const of = (selector, property) => [...document.querySelectorAll(selector)].map(one => getComputedStyle(one)[property]);
    return { swatches: of('.swatch', 'backgroundColor'), bars: of('#panel rect.bar', 'fill'), tracks: of('#panel rect.track', 'fill'), tabs: of('[role=tab]', 'backgroundColor'), chosen: of('[role=tab][aria-selected=true]', 'backgroundColor'), pressed: of('.languages [aria-pressed=true]', 'backgroundColor'), other: of('.languages [aria-pressed=false]', 'backgroundColor') };
  });
  assert.equal(new Set(colours.swatches).size, 6, 'the legend has the colours of the map');
  assert.notEqual(colours.bars[0], colours.tracks[0], 'bars differ from what is behind them');
  assert.ok(colours.tabs.some(one => one !== colours.chosen[0]), 'the chosen tab differs from the others');
  assert.notEqual(colours.pressed[0], colours.other[0], 'the chosen language differs from the other');
  await accessible(page, 'with the colours of the system');
  await picture(page, 'forced-colours');
  await leave(session);
});
