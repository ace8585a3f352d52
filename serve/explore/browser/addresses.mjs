// Addresses in the search of the explorer, by keyboard alone, in both languages. QUARTIER_CONTROL has the sites full, and few, whose
// account has no addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, desktop, enter, fits, leave, look, panelShown, phone, picture, shared, suggest, visit } from './open.mjs';

const open = async (site, options) => {
  const answer = await fetch(`${process.env.QUARTIER_CONTROL}/${site}/link`);
  return visit(await enter(await shared(), await answer.text()), options);
};
const titled = (page, name) => page.waitForFunction(name => document.querySelector('.place-head h2')?.innerText === name, name);
const offered = page => page.locator('#search-list [role=option]').evaluateAll(all => all.map(one => [one.querySelector('.name').innerText, one.querySelector('.where').innerText]));

test('an address that is begun is offered, and chosen by arrows', async () => {
  for (const [language, size, kind] of [['en', desktop, 'Address'], ['fr', phone, 'Adresse']]) {
    const session = await open('full', { language, size }), page = await look(session, `map=14/44.8/-72.8&lang=${language}`), say = translator(language);
    const field = page.getByRole('combobox', { name: say('search.label.addresses') });
    await field.focus();
    await suggest(page, '14 mai');
    assert.deepEqual(await offered(page), [['14 Main St', `${kind} · Southville, VT 05001`]]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await suggest(page, 'ma');
    assert.ok(await page.getByRole('group', { name: say('search.kind.address') }).count() + (await offered(page)).filter(([name]) => name === 'Main St').length > 0);
    await accessible(page, 'addresses in the list');
    await fits(page, 'addresses in the list');
    await picture(page, 'addresses-' + language);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await suggest(page, '14 main');
    await page.keyboard.press('ArrowDown');
    assert.equal(await field.getAttribute('aria-activedescendant'), 'search-0');
    await page.keyboard.press('Enter');
    await titled(page, '14 Main St');
    await panelShown(page);
    assert.match(await page.evaluate(() => location.hash), /at=44\.80126\d*,-72\.8(&|$)/);
    await picture(page, 'address-' + language);
    await leave(session);
  }
});

test('Enter goes to an address that is typed whole, wherever it is', async () => {
  const session = await open('full'), page = await look(session, 'map=14/44.8/-72.8&lang=en');
  await page.locator('#search-field').focus();
  await page.keyboard.type("12 rue de l'eglise, Northville QC");
  await page.keyboard.press('Enter');
  await titled(page, "12 rue de l'Église");
  await leave(session);
});

test('of two that are equally good both are offered', async () => {
  const session = await open('full'), page = await look(session, 'map=14/44.8/-72.8&lang=en');
  await page.locator('#search-field').focus();
  await suggest(page, '3 twice st');
  assert.deepEqual((await offered(page)).map(([, where]) => where), ['Address · Southville, VT 05001', 'Address · Westville, VT 05002']);
  await leave(session);
});

test('an account without addresses is not offered any', async () => {
  const session = await open('few'), page = await look(session, 'lang=fr'), say = translator('fr');
  await page.getByRole('combobox', { name: say('search.label'), exact: true }).focus();
  await page.keyboard.type('14 main st');
  await page.waitForFunction(text => document.querySelector('.search-status')?.textContent.includes(text), say('search.none', { text: '14 main st' }));
  await leave(session);
});
