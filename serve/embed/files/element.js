// What both components have in common: the API, the place that their attributes name, and the lines below.
import {styles} from './styles.js';
import {dated, filled, words} from './words.js';

// base is the server that this script came from: the API that is asked.
const base = new URL('../../', import.meta.url);

// Neither cookies nor the address of the page are sent; browsers add its origin, which keys are bound to.
const options = {credentials: 'omit', referrerPolicy: 'no-referrer'};

// asked is the answer of release.json, which is the same for all elements of a page.
let asked;

// release says of what day the data are and whose. Out: null where the server does not answer at all.
export const release = () => asked ??= fetch(new URL('embed/v1/release.json', base), options)
  .then(response => response.ok ? response.json() : {})
  .catch(() => null)
  .then(answer => { if (!answer?.as_of) asked = null; return answer; });

// Failure is why something cannot be shown; reason is the key of its sentence.
export class Failure extends Error {
  constructor(reason, status = 0) {
    super(reason);
    Object.assign(this, {reason, status});
  }
}

// refused is why nothing came back: browsers do not distinguish a page of another origin than the key's from a broken line.
export const refused = async () => new Failure(await release() ? 'refused' : 'network');

// failureOf is what an answer that is not 200 means.
async function failureOf(response) {
  const {status} = response;
  const outside = status === 401 && /region/.test((await response.json().catch(() => null))?.detail);
  return new Failure(outside || status === 204 || status === 404 ? 'none' : status === 401 || status === 403 ? 'refused' : 'server', status);
}

// ask asks the API until it does not put off: wait(seconds) is called before each pause.
export async function ask(path, parameters, signal, wait) {
  const url = new URL(path + '?' + new URLSearchParams(parameters), base);
  for (let again = 0; ; again++) {
    const response = await fetch(url, {...options, signal, headers: {Accept: 'application/json'}})
      .catch(async error => { throw signal.aborted ? error : await refused(); });
    if (response.status === 200) return response.json().catch(() => { throw new Failure('server', 200); });
    if (again === 5 || ![429, 503].includes(response.status)) throw await failureOf(response);
    const seconds = Math.min(Math.max(1, parseInt(response.headers.get('Retry-After')) || 5), 300);
    wait(seconds);
    await new Promise((done, fail) => {
      const timer = setTimeout(done, seconds * 1000);
      signal.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); }, {once: true});
    });
  }
}

// el makes an element of text alone: what names and texts have of markup is shown as it is written.
export function el(name, part, ...children) {
  const element = document.createElement(name);
  if (part) element.setAttribute('part', element.className = part);
  element.append(...children);
  return element;
}

// degrees reads a latitude or longitude; null where it is none.
const degrees = (text, most) => /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text = text.trim()) && Math.abs(text) <= most ? Number(Number(text).toFixed(6)) : null;

let sheet;

// Placed is an element of a place.
export class Placed extends HTMLElement {
  #abort = new AbortController();
  #shown = false; // since it is in the page
  #planned = false;
  #lines = '';
  state = el('p', 'state');
  foot = el('footer', 'footer');

  constructor() {
    super();
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(styles);
    this.attachShadow({mode: 'open'}).adoptedStyleSheets = [sheet];
    this.state.setAttribute('role', 'status');
  }

  static get observedAttributes() { return ['lat', 'lng', 'lang', 'theme', 'key', ...this.own]; }

  connectedCallback() {
    for (const name of ['lat', 'lng', 'theme', 'key', 'data', ...this.constructor.own]) { // set before the element was defined
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#shown = true;
    this.refresh();
  }

  disconnectedCallback() {
    this.#shown = false;
    this.#abort.abort();
  }

  attributeChangedCallback(name, before, after) {
    if (before !== after) this.plan();
  }

  // plan refreshes once after several changes.
  plan() {
    if (this.#planned || !this.#shown) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.#shown) this.refresh();
    });
  }

  get language() { return /^fr\b/i.test(this.lang || this.closest('[lang]')?.lang) ? 'fr' : 'en'; }
  get words() { return words[this.language]; }

  // place is what the attributes say, or a Failure.
  get place() {
    const lat = degrees(this.lat, 90), lng = degrees(this.lng, 180);
    if (lat === null || lng === null) throw new Failure('place');
    return {lat, lng};
  }

  // begin ends what runs, and returns the signal by which the next does.
  begin() {
    this.#abort.abort();
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  // report says a sentence; one that is heard alone is not seen. again is the button that tries again, if there is one.
  report(text, {heard = false, again = null} = {}) {
    this.state.classList.toggle('unseen', heard);
    if (this.state.textContent !== text || again) this.state.replaceChildren(text, ...again ? [' ', again] : []);
  }

  // fail says why there is nothing to see.
  fail(error) {
    const {reason = 'server', status = 0} = error;
    const again = reason === 'network' || reason === 'server' ? el('button', 'again', this.words.again) : null;
    again?.addEventListener('click', () => this.refresh());
    this.report(this.words[reason], {again});
    this.send('quartier-error', {reason, status, message: this.words[reason]});
    if (!error.reason) console.error(error);
  }

  send(name, detail) { this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true, composed: true})); }

  // attribute writes the day of the data and whose they are: all by name, what is long behind the first.
  async attribute(of) {
    const answer = await release(), {language, words} = this, own = answer?.[of] ?? [];
    const content = JSON.stringify([language, answer?.as_of, own]);
    if (content === this.#lines) return; // a list that is open stays so
    this.#lines = content;
    const list = own.map(line => String(line[language]));
    const day = el('p', 'date', filled(words.date, {date: dated(answer?.as_of, language)}));
    const all = el('ul', '', ...list.map(line => el('li', '', line)));
    const named = list.length < 2 || list.join(', ').length < 60 ? [el('p', 'source', list.join(', '))]
      : [el('details', 'sources', el('summary', '', filled(words.others, {first: list[0], count: list.length - 1})), all)];
    this.foot.replaceChildren(...answer?.as_of ? [day, ...named] : []);
  }
}

// define defines an element of which attributes are properties too, unless another version of this script has.
export function define(name, type) {
  for (const attribute of ['lat', 'lng', 'theme', 'key', ...type.own]) {
    Object.defineProperty(type.prototype, attribute, {
      get() { return this.getAttribute(attribute) ?? ''; },
      set(value) { value === null || value === undefined ? this.removeAttribute(attribute) : this.setAttribute(attribute, value); },
      configurable: true, enumerable: true,
    });
  }
  if (!customElements.get(name)) customElements.define(name, type);
}
