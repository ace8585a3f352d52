// <quartier-scores>: the scores of a place as a list of bars with words.
import {Failure, Placed, ask, define, el} from './element.js';
import {filled} from './words.js';
import {scores} from './vocabulary.js';

const byID = new Map(scores.map(score => [score.id, score]));

// rated is a value of an answer from 0 to 5; null where it is none.
const rated = value => /^\d(\.\d+)?$/.test(value) && value <= 5 ? Number(value) : null;

class Scores extends Placed {
  static own = ['scores'];
  #asked = ''; // of what place, in which language, #answer is
  #answer = null;
  #data = null;
  #title = el('p', 'title');
  #list = el('ul', 'list');
  #rows = new Map();

  constructor() {
    super();
    this.#title.id = 'title';
    this.#list.setAttribute('aria-labelledby', 'title');
    this.#list.setAttribute('role', 'list'); // which lists without bullets are not to everybody
    this.shadowRoot.append(el('section', 'box', this.#title, this.state, this.#list, this.foot));
  }

  // data is an answer of /v3/scores that the page has from its own server: then the API is not asked for one.
  get data() { return this.#data; }
  set data(answer) {
    this.#data = answer ?? null;
    this.plan();
  }

  async refresh() {
    const {words} = this, signal = this.begin();
    this.#title.textContent = words.title;
    try {
      const chosen = this.#chosen(), at = this.#data ? {} : this.place;
      if (!this.#data && !this.key) throw new Failure('key');
      const asked = JSON.stringify([at, this.key, this.language]);
      this.#layOut(chosen);
      this.attribute('scores');
      if (this.#data) this.#answer = this.#data;
      else if (asked !== this.#asked) {
        this.#asked = '';
        this.#list.setAttribute('aria-busy', 'true');
        this.report(words.loading, {heard: true});
        const parameters = {...at, language: this.language, location_scores_rounding: 'none', key: this.key};
        this.#answer = await ask('v3/scores', parameters, signal, seconds => this.report(filled(words.busy, {seconds})));
        if (signal.aborted) return;
        this.#asked = asked;
      }
      this.#fill();
    } catch (error) {
      if (signal.aborted) return;
      this.#asked = '';
      this.#list.hidden = true;
      this.fail(error);
    }
  }

  // #chosen are the scores that the attribute names, in its order; all without one.
  #chosen() {
    const names = this.scores.slice(0, 2000).split(/[\s,]+/).filter(Boolean);
    if (!names.length) return scores;
    const found = [...new Set(names)].map(name => byID.get(name)).filter(Boolean);
    if (!found.length) throw new Failure('choice');
    return found;
  }

  // #layOut makes the rows as they will be, with room for the longest text of each.
  #layOut(chosen) {
    const {language, words} = this;
    this.#rows = new Map(chosen.map(({id, name, texts}) => {
      const label = el('span', 'label', name[language]), value = el('span', 'value'), bar = el('span', 'bar'), text = el('span', 'words');
      bar.setAttribute('aria-hidden', 'true');
      const room = el('span', 'text', text);
      room.dataset.longest = texts.map(one => one[language]).reduce((a, b) => b.length > a.length ? b : a);
      const row = el('li', 'item', label, value, bar, room);
      row.dataset.score = id;
      return [id, {row, value, bar, text}];
    }));
    this.#list.hidden = false;
    this.#list.lang = this.#title.lang = language;
    this.#list.replaceChildren(...[...this.#rows.values()].map(({row}) => row));
  }

  #fill() {
    const {language, words} = this, location = this.#answer?.data?.location ?? {}, known = {};
    const format = new Intl.NumberFormat(language + '-CA', {minimumFractionDigits: 1, maximumFractionDigits: 1});
    for (const [id, {row, value, bar, text}] of this.#rows) {
      const one = Object.hasOwn(location, id) ? location[id] : null, x = rated(one?.value);
      row.classList.toggle('missing', x === null);
      if (x === null) {
        const none = el('span', 'of', '–');
        none.setAttribute('aria-hidden', 'true');
        value.replaceChildren(none);
        text.textContent = words.unknown;
        continue;
      }
      known[id] = x;
      const of = el('span', 'of', '/5');
      of.setAttribute('aria-hidden', 'true');
      value.replaceChildren(el('b', '', format.format(x)), of, el('span', 'unseen', ' ' + words.of + ': '));
      bar.style.setProperty('--share', x * 20 + '%');
      text.textContent = String(one.text ?? '').slice(0, 300);
    }
    this.#list.setAttribute('aria-busy', 'false');
    if (!Object.keys(known).length && !Object.keys(location).length) throw new Failure('none', 200);
    this.report(words.loaded, {heard: true});
    this.send('quartier-load', {scores: known});
  }
}

define('quartier-scores', Scores);
