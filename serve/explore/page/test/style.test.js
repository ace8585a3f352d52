import assert from 'node:assert/strict';
import {test} from 'node:test';
import {validateStyleMin} from '@maplibre/maplibre-gl-style-spec';
import {chosenFarther, goesFarther, heatColour, heatColours, styleOf} from '../files/style.js';
import {bounds, feature, line, multiPolygon} from '../files/geo.js';

const cafes = {id: 'cafes', steps: [0, 5, 25, 45, 65, 85]};
const tiles = archive => ({url: 'quartier://' + archive + '/{z}/{x}/{y}', zooms: [0, 14]});

test('styles are valid, with tiles and without, in both languages and palettes', () => {
  for (const ground of [tiles('ground'), null]) for (const wideZoom of [0, 10]) for (const map of [tiles('map'), null]) for (const heat of [tiles('heat'), null]) for (const language of ['en', 'fr']) for (const dark of [false, true]) {
    const style = styleOf({ground, map, wideZoom, heat, language, dark});
    assert.deepEqual(validateStyleMin(style), []);
    assert.equal(style.layers.some(one => one.id === 'heat'), heat !== null);
    assert.equal(style.glyphs, undefined);
    assert.equal(new Set(style.layers.map(one => one.id)).size, style.layers.length);
  }
  const style = styleOf({map: tiles('map'), heat: tiles('heat'), language: 'fr', dark: false});
  style.layers.find(one => one.id === 'heat').paint['line-color'] = heatColour(cafes);
  assert.deepEqual(validateStyleMin(style), []);
});

test('outlines go on where tiles of higher zooms end, and are drawn once', () => {
  const style = styleOf({map: tiles('map'), wideZoom: 10, heat: null, language: 'en', dark: false});
  assert.equal(style.sources.wide.maxzoom, 10);
  const [near, far] = style.layers.filter(one => one.id.startsWith('outlines-60'));
  assert.deepEqual([near.source, far.source, far.minzoom, far.maxzoom], ['map', 'wide', 11, near.maxzoom]);
  assert.deepEqual(far.filter, ['all', near.filter, ['==', ['get', 'last'], 1]]);
  for (const id of chosenFarther) {
    const chosen = style.layers.find(one => one.id === id);
    assert.deepEqual([chosen.source, chosen.minzoom, chosen.layout.visibility], ['wide', 11, 'none']);
  }
  assert.deepEqual(['g60_x', 'g70_ca', 'g40_x', null].map(goesFarther), [true, true, false, false]);
  assert.equal(styleOf({map: tiles('map'), wideZoom: 0, heat: null, language: 'en', dark: false}).sources.wide, undefined);
});

test('the ground is under everything else, and its sea and borders go on where tiles of higher zooms end', () => {
  const style = styleOf({ground: tiles('ground'), map: tiles('map'), wideZoom: 10, heat: tiles('heat'), language: 'fr', dark: true});
  const at = id => style.layers.findIndex(one => one.id === id);
  const order = ['land', 'ocean', 'land-park', 'water', 'buildings', 'tunnel-minor', 'street-minor-casing', 'street-minor', 'bridge-minor-casing', 'heat-casing', 'heat', 'outlines-30', 'pois', 'chosen-tiles-line', 'names-30', 'places-cities', 'marks'];
  assert.deepEqual(order.map(at), order.map(at).sort((a, b) => a - b));
  for (const id of ['ocean', 'water', 'borders-states']) {
    const far = style.layers[at(id + '-wide')];
    assert.deepEqual([far.source, far.minzoom, far.filter.at(-1)], ['ground-wide', 11, ['==', ['get', 'last'], 1]]);
  }
  assert.equal(style.sources['ground-wide'].maxzoom, 10);
  assert.ok(style.layers.filter(one => one.source === 'ground' && one.type === 'symbol' && one.id !== 'refs').every(one => JSON.stringify(one.layout['text-field']).includes('name_fr')));
});

test('a colour of the heat layer begins where the band of the score begins', () => {
  const [, , first, ...steps] = heatColour(cafes);
  assert.equal(first, heatColours[0]);
  // The nearest half, then the band of it: 0.25 is the half 0.5 and in band 1, 1.25 is 1.5 and in band 2, and so on.
  assert.deepEqual(steps, [5, 25, 45, 65, 85].flatMap((twentieths, i) => [twentieths, heatColours[i + 1]]));
});

test('geometry of the API becomes GeoJSON, longitude first', () => {
  const square = multiPolygon([[[[45, -72], [45, -71], [46, -71], [45, -72]]]]);
  assert.deepEqual(square.coordinates[0][0][1], [-71, 45]);
  assert.deepEqual(bounds([feature('catchment', square), feature('link', line({lat: 44, lng: -71.5}, {lat: 45, lng: -70}))]), [[-72, 44], [-70, 46]]);
  assert.equal(bounds([]), null);
});
