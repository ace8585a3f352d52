// <quartier-map>: a map of the ground with a mark at the place. Until it is seen or asked for it is a still, and nothing of it is loaded.
import {Failure, Placed, define, el, refused, release} from './element.js';

const scheme = matchMedia('(prefers-color-scheme: dark)');
const zoomOf = text => /^\d{1,2}(\.\d+)?$/.test(text) ? Math.min(Number(text), 18) : 14.5;

// pin draws the mark.
function pin() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), path = document.createElementNS(svg.namespaceURI, 'path');
  for (const [name, value] of Object.entries({viewBox: '0 0 24 32', width: 27, height: 36, class: 'pin', 'aria-hidden': 'true'})) svg.setAttribute(name, value);
  path.setAttribute('d', 'M12 1a11 11 0 0 0-11 11c0 8 11 19 11 19s11-11 11-19A11 11 0 0 0 12 1Zm0 7a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z');
  svg.append(path);
  return svg;
}

class PlaceMap extends Placed {
  static own = ['zoom', 'load'];
  #wanted = false;
  #map = null; // what draw.js returned
  #still = el('div', 'still', pin());
  #open = el('button', 'open');
  #box = el('div', 'map', this.#still);
  #seen = new IntersectionObserver(entries => { if (entries.some(entry => entry.isIntersecting)) this.#want(); }, {rootMargin: '100px'});
  #restyle = () => this.plan();

  constructor() {
    super();
    this.#open.type = 'button';
    this.#open.addEventListener('click', () => this.#want());
    this.shadowRoot.append(el('section', 'box map-box', this.#box, this.state, this.foot));
  }

  connectedCallback() {
    super.connectedCallback();
    scheme.addEventListener('change', this.#restyle);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    scheme.removeEventListener('change', this.#restyle);
    this.#seen.disconnect();
    this.#end();
  }

  #want() {
    this.#wanted = true;
    this.plan();
  }

  #end() {
    this.#map?.remove?.();
    this.#map = null;
    this.#box.replaceChildren(this.#still);
  }

  async refresh() {
    const {words} = this, signal = this.begin();
    this.#open.textContent = words.open;
    this.attribute('map');
    try {
      const view = {...this.place, zoom: zoomOf(this.zoom), language: this.language, words, dark: this.theme === 'dark' || this.theme !== 'light' && scheme.matches};
      if (!this.key) throw new Failure('key');
      const byClick = this.load === 'click' || navigator.connection?.saveData;
      if (!this.#wanted) {
        byClick ? this.#still.append(this.#open) : this.#seen.observe(this);
        return this.report('', {heard: true});
      }
      this.#seen.disconnect();
      if (this.#map?.key === this.key) return this.#map.show(view);
      this.#end();
      this.#open.remove();
      this.report(words.opening, {heard: true});
      if (!document.createElement('canvas').getContext('webgl2')) throw new Failure('no_webgl');
      const [drawing, answer] = await Promise.all([import('./map.js').catch(() => null), release()]);
      if (signal.aborted) return;
      if (!answer) throw new Failure('network');
      if (!drawing || !answer.ground) throw new Failure('no_map');
      let map = null;
      map = await drawing.draw({box: this.#box, base, key: this.key, zooms: answer.ground, mark: pin(), view, fail: async why => {
        const error = typeof why === 'string' ? new Failure(why) : why ? new Failure(why === 401 || why === 403 ? 'refused' : 'server', why) : await refused();
        if (this.#map !== map) return;
        this.#end();
        this.fail(error);
      }});
      if (signal.aborted) return map.remove();
      this.#map = map;
      await map.drawn;
      if (this.#map !== map) return;
      this.#still.remove();
      this.report(this.words.opened, {heard: true});
      this.send('quartier-load', {});
    } catch (error) {
      if (signal.aborted) return;
      this.#end();
      this.fail(error);
    }
  }
}

define('quartier-map', PlaceMap);
