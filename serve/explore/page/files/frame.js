// What is around the map and the place: the title, the languages, the line of the release, and what the page says.
import {el} from './dom.js';
import {formats} from './formats.js';
import {translator} from './words.js';

const $ = id => document.getElementById(id);
const languages = {en: 'English', fr: 'Français'};

// createFrame returns what writes the frame of the page; onLanguage(code) is called when one is chosen.
export function createFrame(context, onLanguage) {
  // setLanguage sets the members language, t and number of the context.
  function setLanguage(language) {
    context.language = context.view.language = language;
    context.t = translator(language);
    const made = []; // by digits: making a format takes longer than using it a hundred times
    const format = digits => made[digits] ??= new Intl.NumberFormat(language === 'fr' ? 'fr-CA' : 'en-CA', {maximumFractionDigits: digits});
    context.number = (value, digits = 0) => format(digits).format(value);
    document.documentElement.lang = language;
  }

  function render() {
    const {t} = context;
    $('title').textContent = t('title');
    $('skip').textContent = t('skip');
    // Not by the fragment of the link, which holds the view.
    $('skip').onclick = event => { event.preventDefault(); $('place').focus(); };
    $('map-title').textContent = t('map.title');
    $('place').setAttribute('aria-label', t('place.region'));
    $('map-region').setAttribute('aria-labelledby', 'map-title');
    const switches = Object.entries(languages).map(([code, name]) => el('button', {
      type: 'button', lang: code, 'aria-pressed': String(code === context.language), onclick: () => onLanguage(code),
    }, name));
    $('tools').replaceChildren(
      el('div', {class: 'languages', role: 'group', 'aria-label': t('language')}, switches),
      el('button', {type: 'button', onclick: copyLink}, t('link.copy')));
    if (context.noMap) withoutMap(context.noMap);
    renderRelease();
  }

  // withoutMap says in place of the map why there is none.
  function withoutMap(reason) {
    $('map').replaceChildren(el('p', {class: 'no-map'}, context.t(reason)));
    document.body.classList.add('without-map');
    context.noMap = reason;
  }

  function renderRelease() {
    const {release, t} = context;
    if (!release) return;
    const date = formats(context.language).date(release.as_of);
    $('attribution').replaceChildren(
      el('p', {}, t('release', {date, digest: release.release.slice(0, 12), account: release.account})),
      el('details', {class: 'sources'}, el('summary', {}, t('attribution', {count: release.attribution.length})),
        el('ul', {}, release.attribution.map(text => el('li', {}, text)))));
  }

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      say(context.t('link.copied'));
    } catch {
      say(context.t('link.not_copied', {link: location.href}));
    }
  }

  function announce(text) { $('live').textContent = text; }

  function say(text) { $('notice').textContent = text; }

  function sentence(error) {
    if (!error.kind) return context.t('error.page', {detail: error.message});
    const wait = error.retryAfter === null || error.retryAfter === undefined ? '' : ' ' + context.t('error.retry_after', {seconds: error.retryAfter});
    return context.t('error.' + error.kind, {detail: error.detail ?? ''}) + wait;
  }

  // onError writes into an element why there is nothing to show. An answer about another place, which nobody waits for any more,
  // is no error.
  function onError(element, error) {
    if (error.name === 'AbortError') return;
    if (!error.kind) console.error(error);
    element.replaceChildren(el('p', {class: 'missing', role: 'alert'}, sentence(error)));
  }

  return {setLanguage, render, renderRelease, withoutMap, announce, say, sentence, onError};
}
