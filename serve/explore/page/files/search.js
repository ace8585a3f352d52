// The search: a combobox with a list of suggestions, by the ARIA practices (the focus stays in the field, arrows move in the
// list, Enter chooses, Escape closes).
import {el} from './dom.js';
import {goTo} from './regions.js';
import {begins, coordinates, groups, marked, same, viewOf} from './suggest.js';

// The pause in typing before the server is asked, in ms.
const pause = 120;
const limit = 8;

// createSearch returns what renders the search in an element, names it and focuses it. A choice is handed to context.select.
export function createSearch(element, context) {
  const label = el('label', {for: 'search-field', class: 'unseen'});
  const field = el('input', {
    id: 'search-field', type: 'search', role: 'combobox', autocomplete: 'off', spellcheck: 'false', maxlength: '256',
    'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': 'search-list',
    oninput: typed, onkeydown: key, onblur: () => setTimeout(close, 150), onfocus: () => field.value && offered.length && open(),
  });
  const box = el('div', {id: 'search-list', role: 'listbox', hidden: true});
  const status = el('p', {role: 'status'});
  const meant = el('p', {class: 'search-meant', onkeydown: event => { if (event.key === 'Escape') { clear(); field.focus(); } }});
  const said = el('div', {class: 'search-status unseen'}, status, meant);
  element.replaceChildren(label, field, box, said);
  let offered = []; // items of groups, in their order
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
    if (point) return offer([{kind: 'point', items: [{name: context.t('search.point', {lat: context.number(point.lat, 6), lng: context.number(point.lng, 6)}), type: '', where: '', target: point}]}], text);
    waiting = setTimeout(() => ask(text, number), pause);
  }

  async function ask(text, number) {
    try {
      const answer = await context.api.explore('search', {q: text, language: context.language, limit, ...viewOf(context.view.map ?? context.release?.starts[0])});
      const near = groups(answer.did_you_mean).flatMap(group => group.items);
      if (number === asked) offer(groups(answer.results), text, answer.results.length ? '' : context.t('search.none', {text}), near);
    } catch (error) {
      if (number === asked) offer([], text, context.sentence(error));
    }
  }

  // offer shows what was found in groups, which have a heading where there are several; else what is said, and what may have been
  // meant, which is chosen by its button alone.
  function offer(found, text, sentence = '', near = []) {
    offered = found.flatMap(group => group.items);
    at = -1;
    let i = 0;
    box.replaceChildren(...found.map(({kind, items}) => {
      const options = items.map(one => option(one, i++, text));
      if (found.length < 2) return el('div', {role: 'presentation'}, options);
      const heading = el('div', {class: 'kind', 'aria-hidden': 'true'}, context.t('search.kind.' + kind));
      return el('div', {role: 'group', 'aria-label': context.t('search.kind.' + kind)}, heading, options);
    }));
    status.textContent = sentence || (offered.length ? context.t('search.count', {count: offered.length}) : '');
    meant.replaceChildren(...(near.length ? [context.t('search.meant'), ' ', ...near.map(suggestion)] : []));
    said.classList.toggle('unseen', !sentence);
    offered.length ? open() : close();
  }

  const about = one => [one.type, one.where].filter(Boolean).join(' · ');

  function option(one, i, text) {
    return el('div', {
      id: 'search-' + i, role: 'option', 'aria-selected': 'false', onmousedown: event => event.preventDefault(), onclick: () => choose(one),
    }, el('span', {class: 'name'}, marked(one.name, text).map(part => part.typed ? el('b', {}, part.text) : part.text)),
    el('span', {class: 'where'}, about(one)));
  }

  const suggestion = one => el('button', {type: 'button', onclick: () => choose(one)}, el('span', {class: 'name'}, one.name), ' ', el('span', {class: 'where'}, about(one)));

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
    const options = box.querySelectorAll('[role=option]');
    options[at]?.setAttribute('aria-selected', 'false');
    at = (to + offered.length) % offered.length;
    options[at].setAttribute('aria-selected', 'true');
    options[at].scrollIntoView({block: 'nearest'});
    field.setAttribute('aria-activedescendant', 'search-' + at);
  }

  function key(event) {
    if (event.isComposing) return;
    const action = {ArrowDown: () => move(at + 1), ArrowUp: () => move(at < 0 ? -1 : at - 1), Enter: () => enter(), Escape: () => box.hidden ? clear() : close()}[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  function clear() {
    field.value = '';
    typed();
  }

  // enter chooses what is marked, else what was chosen before, else the best; what was just typed is asked first. A point of interest
  // or an address that only begins so is marked, and what may have been meant gets the focus: another Enter chooses it.
  async function enter() {
    if (at >= 0 && !box.hidden) return choose(offered[at]);
    if (field.value === chosen?.name) return choose(chosen);
    clearTimeout(waiting);
    if (!coordinates(field.value)) await ask(field.value.trim(), ++asked);
    if (offered[0]?.target.name && !same(offered[0].name, field.value) && !(offered[0].kind === 'address' && begins(offered[0].name, field.value))) move(0);
    else if (offered.length) choose(offered[0]);
    else meant.querySelector('button')?.focus();
  }

  function choose(one) {
    chosen = one;
    clearTimeout(waiting);
    ++asked;
    field.value = one.name;
    close();
    said.classList.add('unseen');
    meant.replaceChildren();
    const {target} = one;
    const region = target.region && context.release.regions.find(known => known.name === target.region);
    if (region) return goTo(region.starts[0], context);
    context.select(target);
    if (target.name) context.map.flyTo(target);
  }

  // name says what can be searched for, which the release knows.
  function name() {
    field.placeholder = label.textContent = context.t(context.release?.addresses ? 'search.label.addresses' : 'search.label');
  }

  function render() {
    name();
    box.setAttribute('aria-label', context.t('search.list'));
    offer([], '');
  }

  return {render, name, focus: () => field.focus()};
}
