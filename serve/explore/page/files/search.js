// The search: a combobox with a list of suggestions, by the ARIA practices (the focus stays in the field, arrows move in the
// list, Enter chooses, Escape closes).
import {el} from './dom.js';
import {list} from './resolve.js';
import {coordinates, marked, suggestions} from './suggest.js';

// The pause in typing before the server is asked, in ms.
const pause = 120;
const limit = 8;

// createSearch returns what renders the search in an element and focuses it. A choice is handed to context.select.
export function createSearch(element, context) {
  const label = el('label', {for: 'search-field', class: 'unseen'});
  const field = el('input', {
    id: 'search-field', type: 'search', role: 'combobox', autocomplete: 'off', spellcheck: 'false', maxlength: '256',
    'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': 'search-list',
    oninput: typed, onkeydown: key, onblur: () => setTimeout(close, 150), onfocus: () => field.value && offered.length && open(),
  });
  const box = el('ul', {id: 'search-list', role: 'listbox', hidden: true});
  const status = el('p', {class: 'search-status', role: 'status', hidden: true});
  element.replaceChildren(label, field, box, status);
  let offered = []; // suggestions, or one point
  let at = -1;      // of offered, that Enter chooses
  let asked = 0;    // counts what was typed, so that an answer about an earlier text is not shown
  let waiting;
  let chosen = null; // what the field has the name of, unless something was typed since

  function typed() {
    clearTimeout(waiting);
    const text = field.value.trim();
    const number = ++asked;
    if (!text) return offer([], '');
    const point = coordinates(text);
    if (point) return offer([{point, name: context.t('search.point', {lat: context.number(point.lat, 6), lng: context.number(point.lng, 6)}), kind: '', within: ''}], text);
    waiting = setTimeout(() => ask(text, number), pause);
  }

  async function ask(text, number) {
    let said = '';
    let found = [];
    try {
      found = suggestions(list(await context.api.get('geographies', {name: text, language: context.language, limit})), context.language);
      if (!found.length) said = context.t('search.none', {text});
    } catch (error) {
      said = context.sentence(error);
    }
    if (number === asked) offer(found, text, said);
  }

  function offer(found, text, said = '') {
    offered = found;
    at = -1;
    box.replaceChildren(...found.map((one, i) => el('li', {
      id: 'search-' + i, role: 'option', 'aria-selected': 'false', onmousedown: event => event.preventDefault(), onclick: () => choose(one),
    }, el('span', {class: 'name'}, marked(one.name, text).map(part => part.typed ? el('b', {}, part.text) : part.text)),
    el('span', {class: 'where'}, [one.kind, one.within].filter(Boolean).join(' · ')))));
    status.textContent = said || (found.length ? context.t('search.count', {count: found.length}) : '');
    status.hidden = !said;
    found.length ? open() : close();
  }

  function open() {
    box.hidden = false;
    field.setAttribute('aria-expanded', 'true');
  }

  function close() {
    box.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  }

  function move(to) {
    if (!offered.length) return;
    open();
    box.children[at]?.setAttribute('aria-selected', 'false');
    at = (to + offered.length) % offered.length;
    box.children[at].setAttribute('aria-selected', 'true');
    box.children[at].scrollIntoView({block: 'nearest'});
    field.setAttribute('aria-activedescendant', 'search-' + at);
  }

  function key(event) {
    if (event.isComposing) return;
    const action = {ArrowDown: () => move(at + 1), ArrowUp: () => move(at < 0 ? -1 : at - 1), Enter: () => enter(), Escape: () => box.hidden ? field.value = '' : close()}[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // enter chooses what is marked, else what was chosen before, else the best; what was just typed is asked first.
  async function enter() {
    if (at >= 0 && !box.hidden) return choose(offered[at]);
    if (field.value === chosen?.name) return choose(chosen);
    clearTimeout(waiting);
    if (!coordinates(field.value)) await ask(field.value.trim(), ++asked);
    if (offered.length) choose(offered[0]);
  }

  function choose(one) {
    chosen = one;
    clearTimeout(waiting);
    ++asked;
    field.value = one.name;
    close();
    context.select(one.point ?? {geog_id: one.geog_id, known: one.known});
  }

  function render() {
    label.textContent = context.t('search.label');
    field.placeholder = context.t('search.label');
    box.setAttribute('aria-label', context.t('search.list'));
    offer([], '');
  }

  return {render, focus: () => field.focus()};
}
