// The map: MapLibre GL over the tiles of the release, and over what panels draw. Without tiles in the release it draws the outline
// of the place from the API on an empty ground.
import {addProtocol, Map as MapLibre, ScaleControl} from './maplibre/maplibre-gl.mjs';
import {bounds, collection, feature, multiPolygon, point, rounded} from './geo.js';
import {chosenFarther, chosenIs, chosenTiles, goesFarther, heatColour, heatIds, marked, styleOf} from './style.js';
import {el} from './dom.js';
import {createLayers} from './layers.js';
import {list} from './resolve.js';
import {pace} from './pace.js';

const scheme = matchMedia('(prefers-color-scheme: dark)');

// createMap makes the map in an element. In: context as in main.js; onClick({lat, lng}), onMove({zoom, lat, lng}) after each
// movement, onTileError(status). Out: an object with the methods of map-none.js, after the map can be drawn on.
export async function createMap({element, context, onClick, onMove, onTileError}) {
  serveTiles(context.api, onTileError);
  const {release, view} = context;
  const map = new MapLibre({
    container: element, style: style(), attributionControl: false, dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0,
    ...(view.map ? {center: [view.map.lng, view.map.lat], zoom: view.map.zoom} : start(release, view)),
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new ScaleControl({unit: 'metric'}), 'bottom-left');
  const buttons = zoomButtons();
  element.append(buttons, el('div', {class: 'crosshair', 'aria-hidden': 'true'}));
  map.on('click', event => { if (!layers.clicked(event)) onClick(rounded(event.lngLat.wrap())); });
  const tip = el('p', {class: 'map-tip', hidden: true, 'aria-hidden': 'true'});
  element.append(tip);
  let pointed; // the latest movement, of which one a frame is looked at
  map.on('mousemove', event => {
    if (!pointed) requestAnimationFrame(() => { showTip(pointed); pointed = null; });
    pointed = event;
  });
  map.on('mouseout', () => requestAnimationFrame(() => { tip.hidden = true; }));
  map.on('moveend', () => onMove(position()));
  map.on('error', event => { if (event.error?.name !== 'AbortError') console.warn(event.error?.message ?? event); });
  map.getCanvas().addEventListener('keydown', event => {
    if (event.key === 'Enter') onClick(rounded(map.getCenter().wrap()));
  });
  const note = el('p', {class: 'map-note'});
  element.append(note);
  scheme.addEventListener('change', restyle);
  const state = {drawn: [], chosen: null, marks: {}, heat: null};
  const layers = createLayers(map, {isDark: () => scheme.matches, onHover: showText, onPick: context.pickPOI});
  setLanguage();
  await new Promise(done => map.once('style.load', done));

  function style() {
    const {release} = context;
    const tiles = archive => release.zooms?.[archive] ? {url: 'quartier://' + archive + '/{z}/{x}/{y}?release=' + release.release.slice(0, 16), zooms: release.zooms[archive]} : null;
    return styleOf({ground: tiles('ground'), map: tiles('map'), wideZoom: release.wide_zoom, heat: tiles('heat'), language: context.language, dark: scheme.matches});
  }

  function restyle() {
    map.setStyle(style(), {diff: false});
    map.once('style.load', () => {
      setData('drawn', state.drawn);
      renderMarks();
      renderChosen();
      setHeat(state.heat);
    });
  }

  function position() {
    const {lat, lng} = map.getCenter().wrap();
    return {zoom: map.getZoom(), lat, lng};
  }

  function zoomButtons() {
    const button = (text, action) => el('button', {type: 'button', onclick: action}, el('span', {'aria-hidden': 'true'}, text));
    return el('div', {class: 'zoom'}, button('+', () => map.zoomIn()), button('−', () => map.zoomOut()));
  }

  function setLanguage() {
    const {t} = context;
    const {map: outlined, ground} = context.release.zooms ?? {};
    note.textContent = t(outlined ? 'map.no_ground' : 'map.no_tiles');
    note.hidden = Boolean(ground);
    map.getCanvas().setAttribute('aria-label', t('map.canvas'));
    [...buttons.children].forEach((button, i) => button.setAttribute('aria-label', t(i ? 'map.out' : 'map.in')));
    buttons.setAttribute('role', 'group');
    buttons.setAttribute('aria-label', t('map.zoom'));
  }

  // showTip names the point of interest under the pointer.
  function showTip({point: at}) {
    const near = [[at.x - 4, at.y - 4], [at.x + 4, at.y + 4]];
    const name = map.getLayer('pois') && map.queryRenderedFeatures(near, {layers: ['pois']})[0]?.properties.name;
    showText(name || layers.textAt(at), at);
  }

  function showText(text, at) {
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = at.x + 'px';
    tip.style.top = at.y + 'px';
  }

  const setData = (source, features) => map.getSource(source)?.setData(collection(features));

  function renderMarks() {
    setData('marks', Object.entries(state.marks).flatMap(([role, at]) => [at ?? []].flat().map(one => feature(role, point(one)))));
  }

  function renderChosen() {
    const {chosen} = state;
    if (!map.getSource('map')) return setData('chosen', chosen?.features ?? []);
    for (const id of chosenTiles) map.setFilter(id, chosenIs(chosen?.geog_id));
    if (!map.getSource('wide')) return;
    for (const id of chosenFarther) {
      map.setFilter(id, marked(chosenIs(chosen?.geog_id)));
      map.setLayoutProperty(id, 'visibility', goesFarther(chosen?.geog_id) ? 'visible' : 'none');
    }
  }

  // outline draws the outline of a place: that of the geography, or of the smallest one around a point.
  async function outline(place, {fit}) {
    const geography = place.geog_id ? place : place.geographies[0];
    const before = state.chosen?.geog_id;
    state.chosen = geography && map.getSource('map') ? {geog_id: geography.geog_id} : null;
    if (!before || before !== state.chosen?.geog_id) renderChosen(); // another filter reads all tiles in view again
    if (fit && geography?.bounding_box) {
      const {west, south, east, north} = geography.bounding_box;
      map.fitBounds([[west, south], [east, north]], {padding: 40, maxZoom: 15, ...pace(map, [[west, south], [east, north]])});
    }
    if (!geography || map.getSource('map')) return;
    const wanted = state.chosen = {features: []};
    const found = await untiled(place, geography).catch(() => []);
    if (state.chosen !== wanted) return;
    wanted.features = found;
    renderChosen();
  }

  // untiled returns the outlines of a place where there are no tiles: of Canadian geographies alone, as the API has no others.
  async function untiled(place, geography) {
    const at = place.at ?? {lat: place.lat, lng: place.lng};
    const around = list(await context.api.get('geographies', {...at, levels: [10, 20, 30, 35, 37, 38, 40], include: 'geometry'}));
    if (!around.some(one => one.geog_id === geography.geog_id)) around.push(...list(await context.api.get('geographies/' + encodeURIComponent(geography.geog_id), {include: 'geometry'})));
    return around.filter(one => one.geometry?.length).map(one => feature('outline', multiPolygon(one.geometry), {chosen: one.geog_id === geography.geog_id}));
  }

  function setHeat(score) {
    state.heat = score;
    if (!map.getLayer('heat')) return;
    for (const id of heatIds) {
      map.setLayoutProperty(id, 'visibility', score ? 'visible' : 'none');
      if (score) map.setFilter(id, ['has', score.id]);
    }
    if (score) map.setPaintProperty('heat', 'line-color', heatColour(score));
  }

  return {
    available: true,
    ...layers,
    zoom: () => map.getZoom(),
    mark: at => { state.marks.here = at; renderMarks(); },
    markOther: at => { state.marks.other = at; renderMarks(); },
    outline,
    setHeat,
    // draw draws features of geo.js in place of those before; fit moves the map so that all of them are seen.
    draw(features, {fit = false} = {}) {
      state.drawn = features;
      setData('drawn', features);
      const box = fit && bounds(features);
      if (box) map.fitBounds(box, {padding: 60, maxZoom: 16, ...pace(map, box)});
    },
    erase() {
      if (!state.drawn.length) return;
      state.drawn = [];
      setData('drawn', []);
    },
    flyTo: ({lat, lng}, zoom = 15) => map.easeTo({center: [lng, lat], zoom: Math.max(map.getZoom(), zoom), ...pace(map, [[lng, lat], [lng, lat]])}),
    jumpTo: ({lat, lng, zoom}) => map.jumpTo({center: [lng, lat], zoom}),
    setLanguage() { setLanguage(); restyle(); },
    // reload takes the tiles of another release.
    reload() { setLanguage(); restyle(); },
  };
}

function start(release, view) {
  if (view.at) return {center: [view.at.lng, view.at.lat], zoom: 14};
  const [first] = release.starts;
  if (first) return {center: [first.lng, first.lat], zoom: first.zoom};
  return release.center ? {center: release.center, zoom: 12.5} : {center: [-95, 50], zoom: 3};
}

// serveTiles lets the page itself get tiles, so that it sees their status and release: 204 and 404 are empty tiles, and where the
// server asks to wait it is asked again, three times at most.
function serveTiles(api, onTileError) {
  addProtocol('quartier', async ({url}, controller) => {
    const [path, search] = url.slice('quartier://'.length).split('?');
    for (let again = 0; ; again++) {
      const response = await fetch('/explore/tiles/' + path + '.mvt?' + search, {signal: controller.signal});
      api.notice(response.headers.get('Quartier-Release'));
      if (response.status === 204 || response.status === 404) return {data: new ArrayBuffer(0)};
      if (response.ok) return {data: await response.arrayBuffer()};
      if (again === 3 || ![429, 503].includes(response.status)) {
        onTileError(response.status);
        throw new Error('tile ' + path + ': status ' + response.status);
      }
      await waited(Math.min(Number(response.headers.get('Retry-After')) || 1, 10), controller.signal);
    }
  });
}

const waited = (seconds, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, seconds * 1000);
  signal.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); });
});
