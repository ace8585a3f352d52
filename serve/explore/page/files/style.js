// The style of the map: which layer of the tiles is drawn how, in a light and a dark palette. Labels name no font files, so that
// MapLibre draws them with the fonts of the browser. Pure.

const palettes = {
  light: {
    land: '#f5f3ee', water: '#b9d3e2', shore: '#86aec6', waterText: '#3c6a86', park: '#d9e7cd', building: '#e6e1d8', street: '#ffffff', main: '#fbe6b5', motorway: '#f4c987',
    casing: '#d3cdc1', path: '#cbbfae', rail: '#a7a2a0', outline: '#7c5f8c', chosen: '#8a1c5b', text: '#3c3a37', halo: '#fbfaf7', poi: '#7a4a12',
    link: '#8a1c5b', place: '#8a1c5b', catchment: '#1f5fa8', old: '#a33b14', fresh: '#14633f', other: '#1f5fa8',
  },
  dark: {
    land: '#1d2023', water: '#17303f', shore: '#33576d', waterText: '#8db7cf', park: '#22301f', building: '#2a2d31', street: '#3d4247', main: '#5a5138', motorway: '#6d5a36',
    casing: '#14161a', path: '#4a463e', rail: '#63676c', outline: '#b79ac6', chosen: '#ff9ccf', text: '#e4e2dd', halo: '#16181b', poi: '#e6bd84',
    link: '#ff9ccf', place: '#ff9ccf', catchment: '#8fbcf5', old: '#f2a07c', fresh: '#7fd3a6', other: '#8fbcf5',
  },
};

// heatColours are those of the bands 0 to 5 of a score, from dark violet to yellow: their lightness grows, so that they can be
// distinguished without seeing hues.
export const heatColours = ['#440154', '#3f4788', '#2d708e', '#1f9a8a', '#6ccd5a', '#fde725'];

const zoomed = (...stops) => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];
const is = (property, ...values) => ['in', ['get', property], ['literal', values]];
const major = ['motorway', 'motorway_link', 'trunk', 'trunk_link'];
const main = ['primary', 'primary_link', 'secondary', 'secondary_link', 'tertiary', 'tertiary_link'];
const paths = ['footway', 'path', 'cycleway', 'steps', 'track', 'bridleway', 'pedestrian', 'sidewalk', 'crossing'];
const polygons = ['==', ['geometry-type'], 'Polygon'];
const font = ['system-ui', 'sans-serif'];
// The weight is taken from the first name, which CSS must be able to read as one; no system needs to have it.
const bold = ['Interface Bold', 'sans-serif'];

// levels says from which to which zoom the outlines of a level are drawn, named those at which its names are. Where there is no
// room for all names, a later level goes before an earlier one.
const levels = {10: [11, 24], 20: [10, 24], 30: [8, 24], 35: [9, 13], 37: [6, 14], 38: [5, 12], 40: [5, 11], 60: [0, 12]};
const named = [[60, 3, 7], [38, 6, 8.5], [37, 7, 10], [10, 11.5, 24], [30, 8, 13.5]];

// wide are the levels whose outlines go on, far from the regions of a release, where tiles of higher zooms end.
const wide = ['60'];

// styleOf returns the style of a release. In: the URLs of its tiles (null where it has none), their zooms, the zoom above which the
// map has tiles near its regions alone (0: everywhere), the language of names, whether it is dark.
export function styleOf({map, wideZoom, heat, language, dark}) {
  const c = palettes[dark ? 'dark' : 'light'];
  const sources = {drawn: empty(), chosen: empty(), marks: empty()};
  const layers = [{id: 'land', type: 'background', paint: {'background-color': c.land}}];
  if (map) {
    sources.map = {type: 'vector', tiles: [map.url], minzoom: map.zooms[0], maxzoom: map.zooms[1]};
    if (wideZoom) sources.wide = {...sources.map, maxzoom: wideZoom};
    layers.push(...ground(c));
  }
  if (heat) {
    sources.heat = {type: 'vector', tiles: [heat.url], minzoom: heat.zooms[0], maxzoom: heat.zooms[1]};
    layers.push(heatLayer());
  }
  if (map) layers.push(...outlines(c, wideZoom), ...pois(c));
  layers.push(...drawn(c, Boolean(map), wideZoom));
  if (map) layers.push(...labels(c, language));
  layers.push(...marks(c));
  return {version: 8, sources, layers};
}

const empty = () => ({type: 'geojson', data: {type: 'FeatureCollection', features: []}});

function ground(c) {
  const of = (id, layer, type, rest) => ({id, source: 'map', 'source-layer': layer, type, ...rest});
  const street = (id, filter, colour, width, minzoom = 0) => [
    of(id + '-casing', 'streets', 'line', {filter, minzoom, layout: round, paint: {'line-color': c.casing, 'line-width': wider(width)}}),
    of(id, 'streets', 'line', {filter, minzoom, layout: round, paint: {'line-color': colour, 'line-width': zoomed(...width)}}),
  ];
  const other = ['!', is('class', ...major, ...main, ...paths)];
  return [
    of('parks', 'parks', 'fill', {paint: {'fill-color': c.park}}),
    of('water', 'water', 'fill', {filter: polygons, paint: {'fill-color': c.water}}),
    of('shores', 'water', 'line', {filter: is('class', 'shore'), paint: {'line-color': c.shore, 'line-width': 1}}),
    of('rivers', 'water', 'line', {filter: is('class', 'river', 'canal'), paint: {'line-color': c.water, 'line-width': zoomed(8, 0.8, 14, 3, 18, 10)}}),
    of('buildings', 'buildings', 'circle', {minzoom: 14, paint: {
      'circle-color': c.building, 'circle-pitch-alignment': 'map', 'circle-radius': zoomed(14, 1.2, 16, ['min', 9, ['/', ['sqrt', ['coalesce', ['get', 'm2'], 80]], 3]], 19, ['min', 70, ['*', ['sqrt', ['coalesce', ['get', 'm2'], 80]], 2.6]]),
    }}),
    of('paths', 'streets', 'line', {filter: is('class', ...paths), minzoom: 13, paint: {'line-color': c.path, 'line-width': zoomed(13, 0.6, 18, 2.5), 'line-dasharray': [2, 1.2]}}),
    ...street('streets', other, c.street, [10, 0.5, 13, 1.6, 18, 14], 10),
    ...street('main', is('class', ...main), c.main, [7, 0.6, 13, 3, 18, 20]),
    ...street('motorways', is('class', ...major), c.motorway, [5, 0.6, 13, 4, 18, 24]),
    of('rail', 'rail', 'line', {minzoom: 8, paint: {'line-color': c.rail, 'line-width': zoomed(8, 0.6, 14, 1.6, 18, 3), 'line-dasharray': [4, 2]}}),
  ];
}

const round = {'line-cap': 'round', 'line-join': 'round'};
const wider = stops => zoomed(...stops.map((stop, i) => i % 2 ? stop + 1.4 : stop));

// heatLayer draws the score that setHeat puts into it; hidden until then.
function heatLayer() {
  return {
    id: 'heat', source: 'heat', 'source-layer': 'heat', type: 'circle', layout: {visibility: 'none'},
    paint: {
      'circle-radius': zoomed(10, 2.5, 13, 4.5, 15, 7, 18, 20), 'circle-opacity': 0.85, 'circle-color': heatColours[0],
      'circle-stroke-color': '#26241f', 'circle-stroke-width': 0.6, 'circle-stroke-opacity': 0.45,
    },
  };
}

// heatColour is the colour of a score of the vocabulary whose values in the tiles are twentieths, 0 to 100.
export function heatColour({id, steps}) {
  return ['step', ['get', id], ...steps.flatMap((step, i) => i ? [step, heatColours[i]] : [heatColours[i]])];
}

function outlines(c, wideZoom) {
  return Object.entries(levels).flatMap(([level, [from, to]]) => {
    const layer = {
      id: 'outlines-' + level, source: 'map', 'source-layer': 'outlines', type: 'line', minzoom: from, maxzoom: to,
      filter: ['==', ['get', 'level'], Number(level)],
      paint: {'line-color': c.outline, 'line-width': level >= 37 ? 1.6 : 1, 'line-opacity': 0.75, 'line-dasharray': level >= 37 ? [4, 1.5] : [2, 1.5]},
    };
    return wideZoom && wide.includes(level) ? [layer, farther(layer, wideZoom)] : [layer];
  });
}

// farther is a layer of outlines where tiles of higher zooms have ended: it enlarges those of the last zoom that are marked.
export function farther(layer, wideZoom) {
  return {...layer, id: layer.id + '-wide', source: 'wide', minzoom: wideZoom + 1, filter: marked(layer.filter)};
}

// marked is a filter for outlines that no tile of a higher zoom has.
export const marked = filter => ['all', filter, ['==', ['get', 'last'], 1]];

function pois(c) {
  return [{
    id: 'pois', source: 'map', 'source-layer': 'pois', type: 'circle', minzoom: 14,
    paint: {'circle-radius': zoomed(14, 2, 18, 5), 'circle-color': c.poi, 'circle-stroke-color': c.halo, 'circle-stroke-width': 1},
  }];
}

function labels(c, language) {
  const name = language === 'fr' ? ['coalesce', ['get', 'name_fr'], ['get', 'name']] : ['get', 'name'];
  const of = (id, layer, rest, layout, colour = c.text) => ({
    id, source: 'map', 'source-layer': layer, type: 'symbol', ...rest,
    layout: {'text-field': name, 'text-font': font, 'text-size': 12, ...layout}, paint: {'text-color': colour, 'text-halo-color': c.halo, 'text-halo-width': 1.6},
  });
  const area = named.map(([level, minzoom, maxzoom]) => of('names-' + level, 'names', {
    minzoom, maxzoom, filter: ['==', ['get', 'level'], level],
  }, {'text-size': level === 30 ? 14 : 12, 'text-font': level === 30 ? bold : font, 'text-max-width': 8, 'text-padding': 12, 'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'population'], 0]]}, c.outline));
  return [
    of('names-pois', 'pois', {minzoom: 15.5}, {'text-size': 11, 'text-anchor': 'top', 'text-offset': [0, 0.5], 'text-optional': true, 'text-max-width': 9}, c.poi),
    of('names-streets', 'streets', {minzoom: 13.5}, {'symbol-placement': 'line', 'text-size': 11, 'symbol-spacing': 320}),
    of('names-water', 'water', {minzoom: 11, filter: ['!', polygons]}, {'symbol-placement': 'line', 'text-size': 11}, c.waterText),
    ...area,
  ];
}

// chosenTiles are the layers of the outline of the place that is looked at, where it is taken from the tiles: a filter says which
// one it is.
export const chosenTiles = ['chosen-tiles-fill', 'chosen-tiles-line'];
export const chosenIs = geog_id => ['==', ['get', 'id'], geog_id ?? ''];

// chosenFarther are the same layers where tiles of higher zooms have ended. They are hidden unless a country or state is looked at,
// so that nobody else loads tiles for them.
export const chosenFarther = chosenTiles.map(id => id + '-wide');
export const goesFarther = geog_id => /^g[67]0_/.test(geog_id ?? '');

// drawn has what panels draw and the outline of the place that is looked at, from the tiles or, without them, from the API.
function drawn(c, tiles, wideZoom) {
  const role = (id, name, type, paint, layout = {}) => ({id, source: 'drawn', type, filter: ['==', ['get', 'role'], name], layout, paint});
  const fill = {'fill-color': c.chosen, 'fill-opacity': 0.08}, line = {'line-color': c.chosen, 'line-width': 2.5};
  const ofTiles = {source: 'map', 'source-layer': 'outlines', filter: chosenIs(null)};
  const chosen = tiles ? [{id: chosenTiles[0], type: 'fill', ...ofTiles, paint: fill}, {id: chosenTiles[1], type: 'line', ...ofTiles, paint: line}] : [];
  const beyond = wideZoom ? chosen.map(layer => ({...farther(layer, wideZoom), layout: {visibility: 'none'}})) : [];
  return [
    ...chosen, ...beyond,
    {id: 'chosen-fill', source: 'chosen', type: 'fill', filter: ['get', 'chosen'], paint: fill},
    {id: 'around-line', source: 'chosen', type: 'line', filter: ['!', ['get', 'chosen']], paint: {'line-color': c.outline, 'line-width': 1.2, 'line-dasharray': [3, 2]}},
    {id: 'chosen-line', source: 'chosen', type: 'line', filter: ['get', 'chosen'], paint: line},
    role('catchment-fill', 'catchment', 'fill', {'fill-color': c.catchment, 'fill-opacity': ['case', ['get', 'inside'], 0.09, 0.03]}),
    role('catchment-line', 'catchment', 'line', {'line-color': c.catchment, 'line-width': ['case', ['get', 'inside'], 2.5, 1.2]}),
    role('old-line', 'old', 'line', {'line-color': c.old, 'line-width': 2, 'line-dasharray': [3, 2]}),
    role('new-line', 'new', 'line', {'line-color': c.fresh, 'line-width': 2.5}),
    role('link', 'link', 'line', {'line-color': c.link, 'line-width': ['interpolate', ['linear'], ['get', 'weight'], 0, 1, 1, 4], 'line-opacity': 0.75}),
    role('place', 'place', 'circle', {'circle-radius': 5, 'circle-color': c.place, 'circle-stroke-color': c.halo, 'circle-stroke-width': 1.5}),
  ];
}

// marks are over the labels: the names of what panels draw, which go before others where there is no room for all, and the points
// that are looked at.
function marks(c) {
  return [{
    id: 'place-label', source: 'drawn', type: 'symbol', filter: ['==', ['get', 'role'], 'place'],
    layout: {
      'text-field': ['get', 'label'], 'text-font': bold, 'text-size': 12, 'text-variable-anchor': ['top', 'bottom', 'left', 'right'], 'text-radial-offset': 0.7,
      'text-max-width': 12, 'text-justify': 'auto',
    },
    paint: {'text-color': c.place, 'text-halo-color': c.halo, 'text-halo-width': 1.8},
  }, {
    id: 'marks', source: 'marks', type: 'circle',
    paint: {'circle-radius': 7, 'circle-color': ['case', ['==', ['get', 'role'], 'other'], c.other, c.chosen], 'circle-stroke-color': '#ffffff', 'circle-stroke-width': 3},
  }];
}
