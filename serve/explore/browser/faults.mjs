// The explorer where something is wrong or little is known. QUARTIER_CONTROL is the server that makes it so: its sites are full (10,000
// places, names with markup, market statistics), sparse (one record of most kinds), slow (one request a second) and few (two products
// in one province).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, clean, enter, fits, launch, look, openPanel, panelShown, phone, picture, visit } from './open.mjs';

const control = process.env.QUARTIER_CONTROL;
const north = '45.2,-72.8', south = '44.8,-72.8', hostile = `L'Île <b>"d'Or"</b> & Cie`;
let browser;

const ask = async (site, what, method = 'POST') => {
  const answer = await fetch(`${control}/${site}/${what}`, { method }), text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
};
const open = async (site, options) => visit(browser, await enter(browser, await ask(site, 'link', 'GET')), options);
const saying = (page, selector, text) => page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent.includes(text), [selector, text]);

before(async () => { browser = await launch(); });
after(() => browser?.close());

test('names with markup are shown as they are written', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language, size: phone }), page = await look(session, `at=${north}&lang=${language}`);
    assert.ok((await page.locator('.crumbs').innerText()).includes(hostile), 'in the breadcrumb');
    await page.fill('#search-field', `L'Île`);
    await page.waitForSelector('#search-list [role=option]');
    assert.ok((await page.locator('#search-list').innerText()).includes(hostile), 'in the suggestions');
    await page.keyboard.press('Enter');
    await page.waitForFunction(name => document.querySelector('.place-head h2')?.textContent === name, hostile);
    await panelShown(page);
    assert.ok((await page.title()).includes(hostile));
    for (const id of ['people', 'market', 'profile', 'schools', 'compare']) {
      await openPanel(page, id);
      assert.equal(await page.locator('#place b:has-text("d\'Or"), #search-list b:has-text("d\'Or")').count(), 0, `${id}: markup of a name is no element`);
    }
    assert.ok((await page.locator('#live').textContent()).includes(hostile));
    await fits(page, 'a long name');
    await accessible(page, 'names with markup');
    clean(session);
    await session.context.close();
  }
});

test('10,000 places in view', async t => {
  const session = await open('full', { size: phone }), page = await look(session, `at=${north}&panel=pois`);
  const select = page.locator('#panel select'), largest = await select.locator('option').last().getAttribute('value');
  await select.selectOption(largest);
  const say = translator('en');
  await page.waitForFunction(() => document.querySelectorAll('#panel details').length > 1);
  const begun = performance.now();
  await page.locator('#panel summary').first().click();
  await page.waitForSelector('#panel details[open] li');
  t.diagnostic(`a category is open after ${Math.round(performance.now() - begun)} ms`);
  assert.ok(await page.locator('#panel details[open] li').count() <= 500, 'an answer has at most 500');
  assert.ok((await page.locator('#panel').innerText()).includes(say('pois.more', { limit: 500 })), 'what is left out is said');
  await accessible(page, '10,000 places');
  clean(session);
  await session.context.close();
});

test('a session that ends is said in words, and a new link goes on', async () => {
  for (const language of ['en', 'fr']) {
    const session = await open('full', { language }), page = await look(session, `at=${north}&lang=${language}`), say = translator(language);
    await ask('full', 'end');
    await page.click('#tab-people');
    await saying(page, '#panel [role=alert]', say('error.session_ended'));
    await page.fill('#search-field', 'Northville');
    await saying(page, '.search-status', say('error.session_ended'));
    await accessible(page, 'the session has ended');
    await picture(page, 'session-ended-' + language);
    clean(session);
    await session.context.close();
    const again = await open('full', { language });
    await look(again, `at=${north}&lang=${language}&panel=market`);
    clean(again);
    await again.context.close();
  }
});

test('a limit is said in words, with when to try again', async () => {
  const session = await open('slow'), page = await look(session), say = translator('en');
  await page.waitForSelector('#map canvas, .no-map');
  // Requests are sent until one is refused: one a second is allowed, however fast this machine is.
  await page.fill('#search-field', south.replace(',', ', '));
  await page.keyboard.press('Enter');
  const tooMany = await page.waitForFunction(said => {
    const tabs = document.querySelectorAll('[role=tab]');
    if (document.querySelector('#place').textContent.includes(said)) return true;
    tabs[Math.floor(Math.random() * tabs.length)]?.click();
    return false;
  }, say('error.too_many'), { polling: 30 });
  assert.ok(tooMany);
  assert.match(await page.locator('#place [role=alert]').first().innerText(), /\d+ s\./, 'with the seconds to wait');
  // What was refused can be asked again.
  await page.waitForFunction(() => {
    if (document.querySelector('#panel table.bars')) return true;
    (document.querySelector('#tab-scores:not([hidden])')?.offsetParent ? document.querySelector('#tab-scores') : null)?.click();
    return false;
  }, null, { polling: 1100 });
  clean(session);
  await session.context.close();
});

test('a release that is swapped while one looks is noticed, and all is asked again', async () => {
  const session = await open('full'), page = await look(session, `at=${north}`), say = translator('en');
  const before = await page.locator('#attribution').innerText();
  await ask('full', 'swap');
  await openPanel(page, 'schools');
  await page.waitForFunction(before => document.querySelector('#attribution').innerText !== before, before);
  await saying(page, '#notice', say('release.swapped', { date: '' }).slice(0, 40));
  await panelShown(page, 'schools');
  await openPanel(page, 'scores');
  assert.ok(await page.locator('#panel table.bars').count() > 0);
  clean(session);
  await session.context.close();
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
    clean(session);
    await session.context.close();
    const away = await open('sparse', { language }), nowhere = await away.context.newPage();
    await nowhere.goto(`${away.origin}/explore/#at=10,10&lang=${language}`);
    await saying(nowhere, '.place-head [role=alert]', say('error.not_found'));
    clean(away);
    await away.context.close();
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
  clean(session);
  await session.context.close();
});
