// Draws the map of <quartier-map>, which imports this when it is wanted.
import {Map as MapLibre, Marker, addProtocol, setWorkerUrl} from './maplibre-gl.mjs';
import {styleOf} from './style.js';

const worker = './maplibre-gl-worker.mjs';
const drawn = new Map(); // who draws, by the number that is in the addresses of its tiles
let count = 0;

let prepared;

// prepare sets up MapLibre once for all maps of a page. A page starts no worker of another origin, but one of a text, which a policy
// allows by worker-src blob:. Tiles are asked for here: the key is seen by nobody else, and 204 and 404 are empty tiles.
async function prepare() {
  const address = new URL(worker, import.meta.url);
  const text = address.origin === location.origin ? null : await (await fetch(address, {credentials: 'omit', referrerPolicy: 'no-referrer'})).text();
  setWorkerUrl(text === null ? address.href : URL.createObjectURL(new Blob([text], {type: 'text/javascript'})));
  addProtocol('quartier', async ({url}, {signal}) => {
    const [, number, path] = url.match(/^quartier:\/\/(\d+)\/(.*)$/);
    const {base, key, fail} = drawn.get(Number(number)) ?? {};
    if (!base) return {data: new ArrayBuffer(0)};
    const address = new URL('v3/tiles/ground/' + path + '.mvt?key=' + encodeURIComponent(key), base);
    for (let again = 0; ; again++) {
      const response = await fetch(address, {signal, credentials: 'omit', referrerPolicy: 'no-referrer'}).catch(error => {
        if (!signal.aborted) fail();
        throw error;
      });
      if (response.status === 204 || response.status === 404) return {data: new ArrayBuffer(0)};
      if (response.ok) return {data: await response.arrayBuffer()};
      if (again === 3 || ![429, 503].includes(response.status)) {
        fail(response.status);
        throw new Error('tile ' + path + ': status ' + response.status);
      }
      const seconds = Math.min(parseInt(response.headers.get('Retry-After')) || 1, 30);
      await new Promise(done => setTimeout(done, seconds * 1000));
      signal.throwIfAborted();
    }
  });
}

// draw draws the map in an element. In: where the tiles are, their zooms, the mark, what is looked at, and fail(why), which is called
// with the status of a tile that cannot be had, with nothing where nothing came back, or with the reason why there is no map.
// Out: drawn, a promise; show(view) for another view; remove().
async function draw({box, base, key, zooms, mark, view, fail}) {
  await (prepared ??= prepare());
  const number = ++count;
  drawn.set(number, {base, key, fail});
  const style = ({language, dark}) => styleOf({url: 'quartier://' + number + '/{z}/{x}/{y}', zooms, language, dark});
  const {words} = view;
  const place = document.createElement('div');
  place.className = 'drawn';
  box.prepend(place);
  const map = new MapLibre({
    container: place, style: style(view), center: [view.lng, view.lat], zoom: view.zoom, maxZoom: 18, attributionControl: false, dragRotate: false, pitchWithRotate: false,
    touchPitch: false, maxPitch: 0, cooperativeGestures: true,
    locale: {'CooperativeGesturesHandler.WindowsHelpText': words.wheel, 'CooperativeGesturesHandler.MacHelpText': words.wheel_mac, 'CooperativeGesturesHandler.MobileHelpText': words.fingers, 'Marker.Title': words.here, 'Map.Title': words.map},
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.on('error', ({error}) => {
    if (error?.name !== 'AbortError') console.warn(error?.message);
    if (/^worker/i.test(error?.message)) fail('no_map');
  });
  const marker = new Marker({element: mark, anchor: 'bottom'}).setLngLat([view.lng, view.lat]).addTo(map);
  const buttons = ['in', 'out'].map((way, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(i ? '−' : '+');
    button.addEventListener('click', () => i ? map.zoomOut() : map.zoomIn());
    return button;
  });
  const group = document.createElement('div');
  group.className = 'zoom';
  group.append(...buttons);
  place.append(group);
  let shown = view;
  name();

  function name() {
    buttons.forEach((button, i) => button.setAttribute('aria-label', shown.words[i ? 'out' : 'in']));
    map.getCanvas().setAttribute('aria-label', shown.words.map);
    map.getCanvas().setAttribute('role', 'application'); // no landmark: a page can have many
  }

  return {
    key,
    drawn: new Promise(done => map.once('idle', done)),
    show(next) {
      if (next.language !== shown.language || next.dark !== shown.dark) map.setStyle(style(next));
      if (next.lat !== shown.lat || next.lng !== shown.lng || next.zoom !== shown.zoom) {
        map.jumpTo({center: [next.lng, next.lat], zoom: next.zoom});
        marker.setLngLat([next.lng, next.lat]);
      }
      shown = next;
      name();
    },
    remove() {
      drawn.delete(number);
      map.remove();
      place.remove();
    },
  };
}

export {draw};
