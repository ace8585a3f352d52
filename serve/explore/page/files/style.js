// The style of the map: which layer of the tiles is drawn how, in a light and a dark palette. Labels name no font files, so that
// MapLibre draws them with the fonts of the browser. Pure.

const palettes = {
  light: {
    land: '#f6f3ec', water: '#a9cfe3', shore: '#86b6d0', waterText: '#2f6a8c', built: '#eeeae2', work: '#ebe5e3', farm: '#f2efdd', grass: '#dfeacb', wood: '#c7ddb5', park: '#cfe6b9', wet: '#d5e6dc', sand: '#f3e8c6', site: '#f1e9de',
    building: '#e3dcd1', buildingLine: '#cfc6b8', street: '#ffffff', main: '#fdf0c0', major: '#f9d58c', motorway: '#f2ae72', casing: '#cdc4b4', majorCasing: '#cf9a55', path: '#c3ab8c', rail: '#9b9792', runway: '#d9d6de',
    border: '#9a7f9e', outline: '#7c5f8c', chosen: '#8a1c5b', text: '#35322f', quiet: '#6b665f', halo: '#fdfbf6', shield: '#fff3cf', poi: '#7a4a12', heatCasing: '#2b2823',
    link: '#8a1c5b', place: '#8a1c5b', catchment: '#1f5fa8', old: '#a33b14', fresh: '#14633f', other: '#1f5fa8',
  },
  dark: {
    land: '#1c1f23', water: '#12293a', shore: '#2b4d63', waterText: '#86b4cf', built: '#22252a', work: '#262529', farm: '#21241f', grass: '#222c21', wood: '#1d2b20', park: '#203023', wet: '#1d2a29', sand: '#2e2b22', site: '#282a2e',
    building: '#2b2f35', buildingLine: '#3a3f46', street: '#41464d', main: '#57513f', major: '#6b5a38', motorway: '#86643a', casing: '#131518', majorCasing: '#17150f', path: '#57503f', rail: '#656a70', runway: '#34363d',
    border: '#8f7698', outline: '#b79ac6', chosen: '#ff9ccf', text: '#e6e3de', quiet: '#aaa69f', halo: '#15171a', shield: '#4b402a', poi: '#e6bd84', heatCasing: '#0b0c0e',
    link: '#ff9ccf', place: '#ff9ccf', catchment: '#8fbcf5', old: '#f2a07c', fresh: '#7fd3a6', other: '#8fbcf5',
  },
};

// heatColours are those of the bands 0 to 5 of a score, from dark violet to yellow: their lightness grows, so that they can be
// distinguished without seeing hues.
export const heatColours = ['#440154', '#3f4788', '#2d708e', '#1f9a8a', '#6ccd5a', '#fde725'];

const zoomed = (...stops) => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];
const is = (property, ...values) => ['in', ['get', property], ['literal', values]];
const rail = ['==', ['get', 'rail'], true];
const on = (property, yes = true) => [yes ? '==' : '!=', ['get', property], true];
const font = ['system-ui', 'sans-serif'];
// The weight is taken from the first name, which CSS must be able to read as one; no system needs to have it.
const bold = ['Interface Bold', 'sans-serif'];

// levels says from which to which zoom the outlines of a level are drawn, named those at which its names are. Where there is no
// room for all names, a later level goes before an earlier one.
const levels = {10: [11, 24], 20: [10, 24], 32: [11, 24], 30: [8, 24], 35: [9, 13], 37: [6, 14], 38: [5, 12], 40: [5, 11], 60: [0, 12]};
const named = [[60, 3, 7], [38, 6, 8.5], [37, 7, 10], [32, 13, 24], [10, 11.5, 24], [30, 8, 13.5]];

// wide are the levels whose outlines go on, far from the regions of a release, where tiles of higher zooms end.
const wide = ['60'];

// styleOf returns the style of a release. In: the URLs of its tiles (null where it has none), their zooms, the zoom above which the
// map has tiles near its regions alone (0: everywhere), the language of names, whether it is dark.
export function styleOf({ground = null, map, wideZoom, heat, language, dark}) {
  const c = palettes[dark ? 'dark' : 'light'];
  const sources = {drawn: empty(), chosen: empty(), marks: empty()};
  const layers = [{id: 'land', type: 'background', paint: {'background-color': c.land}}];
  const source = ({url, zooms}) => ({type: 'vector', tiles: [url], minzoom: zooms[0], maxzoom: zooms[1]});
  if (map) {
    sources.map = source(map);
    if (wideZoom) sources.wide = {...sources.map, maxzoom: wideZoom};
  }
  if (ground) {
    sources.ground = source(ground);
    if (wideZoom) sources['ground-wide'] = {...sources.ground, maxzoom: wideZoom};
    layers.push(...sea(c, Boolean(map), wideZoom), ...land(c), ...water(c, wideZoom), ...streets(c), ...borders(c, wideZoom));
  }
  if (heat) {
    sources.heat = source(heat);
    layers.push(...heatLayers(c));
  }
  if (map) layers.push(...outlines(c, wideZoom, Boolean(ground)), ...pois(c));
  layers.push(...drawn(c, Boolean(map), wideZoom));
  if (map) layers.push(...labels(c, language, Boolean(ground)));
  if (ground) layers.push(...groundLabels(c, language));
  layers.push(...marks(c));
  return {version: 8, sources, layers};
}

const empty = () => ({type: 'geojson', data: {type: 'FeatureCollection', features: []}});

const round = {'line-cap': 'round', 'line-join': 'round'};
const wider = (stops, by = 1.4) => zoomed(...stops.map((stop, i) => i % 2 ? stop + by : stop));
const of = (id, layer, type, rest) => ({id, source: 'ground', 'source-layer': layer, type, ...rest});

// beyond are layers of the ground, with copies that go on where tiles of higher zooms have ended.
const beyond = (layers, wideZoom) => wideZoom ? [...layers, ...layers.map(one => ({...farther({filter: ['literal', true], ...one}, wideZoom), source: 'ground-wide'}))] : layers;

// sea has the ocean. Over that of a wide source is the land of the states of a release, whose outlines are more exact.
function sea(c, map, wideZoom) {
  const paint = {'fill-color': c.water, 'fill-antialias': false};
  const states = {id: 'land-states', source: 'map', 'source-layer': 'outlines', type: 'fill', minzoom: 7, filter: ['==', ['get', 'level'], 60], paint: {...paint, 'fill-color': c.land}};
  return [...beyond([of('ocean', 'ocean', 'fill', {filter: ['has', 'wide'], paint})], wideZoom), ...map ? [states] : [], of('sea', 'ocean', 'fill', {filter: ['!', ['has', 'wide']], paint})];
}

function land(c) {
  const kinds = (id, layer, colour, ...values) => of(id, layer, 'fill', {filter: is('kind', ...values), paint: {'fill-color': colour, 'fill-antialias': false}});
  return [
    kinds('land-built', 'land', c.built, 'residential', 'garages', 'farmyard', 'brownfield', 'greenfield'),
    kinds('land-work', 'land', c.work, 'industrial', 'commercial', 'retail', 'railway', 'landfill', 'quarry'),
    kinds('land-farm', 'land', c.farm, 'farmland', 'orchard', 'vineyard', 'plant_nursery', 'greenhouse_horticulture'),
    kinds('land-grass', 'land', c.grass, 'grass', 'meadow', 'grassland', 'heath', 'scrub', 'village_green', 'recreation_ground', 'allotments', 'cemetery', 'grave_yard', 'golf_course'),
    kinds('land-wood', 'land', c.wood, 'forest'),
    kinds('land-wet', 'land', c.wet, 'swamp', 'bog', 'string_bog', 'wet_meadow', 'marsh'),
    kinds('land-sand', 'land', c.sand, 'sand', 'beach', 'bare_rock', 'scree', 'shingle'),
    kinds('land-park', 'land', c.park, 'park', 'garden', 'playground', 'miniature_golf'),
    kinds('sites', 'sites', c.site, 'university', 'college', 'school', 'hospital', 'prison', 'sports_centre', 'parking'),
  ];
}

function water(c, wideZoom) {
  return [
    ...beyond([of('water', 'water_polygons', 'fill', {filter: ['!', is('kind', 'glacier')], paint: {'fill-color': c.water}})], wideZoom),
    of('rivers', 'water_lines', 'line', {filter: is('kind', 'river', 'canal'), layout: round, paint: {'line-color': c.water, 'line-width': zoomed(4, 0.5, 8, 1, 14, 3.5, 18, 12)}}),
    of('streams', 'water_lines', 'line', {minzoom: 13, filter: ['!', is('kind', 'river', 'canal')], layout: round, paint: {'line-color': c.water, 'line-width': zoomed(13, 0.8, 18, 5)}}),
    of('piers', 'pier_polygons', 'fill', {paint: {'fill-color': c.land}}),
    of('pier-lines', 'pier_lines', 'line', {paint: {'line-color': c.land, 'line-width': zoomed(12, 0.5, 18, 7)}}),
    of('ferries', 'ferries', 'line', {paint: {'line-color': c.shore, 'line-width': 1.2, 'line-dasharray': [4, 3]}}),
    of('squares', 'street_polygons', 'fill', {filter: is('kind', 'pedestrian', 'service'), paint: {'fill-color': c.street}}),
    of('runway-areas', 'street_polygons', 'fill', {filter: is('kind', 'runway', 'taxiway'), paint: {'fill-color': c.runway}}),
    of('runways', 'streets', 'line', {filter: is('kind', 'runway'), paint: {'line-color': c.runway, 'line-width': zoomed(11, 2, 14, 12, 18, 90)}}),
    of('taxiways', 'streets', 'line', {minzoom: 13, filter: is('kind', 'taxiway'), paint: {'line-color': c.runway, 'line-width': zoomed(13, 1.5, 18, 30)}}),
    of('buildings', 'buildings', 'fill', {minzoom: 14, paint: {'fill-color': c.building, 'fill-outline-color': c.buildingLine, 'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0.5, 15.5, 1]}}),
  ];
}

// roads are the kinds of streets, the least important first: colour, casing, zoom from which they are drawn, width by zoom, the
// kinds. Ramps are narrower.
const roads = c => [
  ['service', c.street, c.casing, 13, [13, 0.5, 15, 2, 18, 8], ['service', 'busway', 'bus_guideway', 'track']],
  ['minor', c.street, c.casing, 11.5, [11.5, 0.4, 13, 1.6, 15, 4.5, 18, 16], ['unclassified', 'residential', 'living_street', 'pedestrian']],
  ['tertiary', c.street, c.casing, 10, [10, 0.5, 12, 1.6, 14, 4, 18, 20], ['tertiary']],
  ['secondary', c.main, c.casing, 9, [9, 0.6, 12, 2, 14, 5, 18, 22], ['secondary']],
  ['primary', c.major, c.majorCasing, 8, [8, 0.7, 12, 2.6, 14, 5.5, 18, 24], ['primary']],
  ['major', c.motorway, c.majorCasing, 5, [5, 0.6, 8, 1.3, 12, 3.2, 14, 6, 18, 26], ['trunk', 'motorway']],
];

// streets are drawn in three heights: tunnels pale under the others, bridges with their casing over them.
function streets(c) {
  const heights = [['tunnel', [on('tunnel')]], ['street', [on('tunnel', false), on('bridge', false)]], ['bridge', [on('bridge'), on('tunnel', false)]]];
  return heights.flatMap(([height, at]) => {
    const pale = height === 'tunnel' ? {'line-opacity': 0.45} : {};
    const flat = height === 'bridge' ? {'line-join': 'round'} : round;
    const width = stops => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.map((stop, i) => i % 2 ? ['*', stop, ['case', on('link'), 0.6, 1]] : stop)];
    const casing = roads(c).map(([id, , colour, minzoom, stops, kinds]) => of(`${height}-${id}-casing`, 'streets', 'line', {
      minzoom: Math.max(minzoom, id === 'major' ? 7 : 11), filter: ['all', is('kind', ...kinds), ...at], layout: flat,
      paint: {'line-color': colour, 'line-width': wider(stops, height === 'bridge' ? 2 : 1.2), ...pale, ...height === 'tunnel' ? {'line-dasharray': [2, 1]} : {}},
    }));
    const fill = roads(c).map(([id, colour, , minzoom, stops, kinds]) => of(`${height}-${id}`, 'streets', 'line', {
      minzoom, filter: ['all', is('kind', ...kinds), ...at], layout: flat, paint: {'line-color': colour, 'line-width': width(stops), ...pale},
    }));
    const paths = of(height + '-paths', 'streets', 'line', {
      minzoom: 13.5, filter: ['all', is('kind', 'footway', 'path', 'cycleway', 'steps'), ...at], paint: {'line-color': c.path, 'line-width': zoomed(13.5, 0.5, 18, 2.6), 'line-dasharray': [2.2, 1.3], ...pale},
    });
    const rails = [
      of(height + '-rail', 'streets', 'line', {minzoom: 8, filter: ['all', rail, ...at], paint: {'line-color': c.rail, 'line-width': zoomed(8, 0.5, 13, 1.2, 18, 4), ...pale}}),
      of(height + '-rail-ties', 'streets', 'line', {minzoom: 13, filter: ['all', rail, ...at], paint: {'line-color': c.land, 'line-width': zoomed(13, 0.5, 18, 2.6), 'line-dasharray': [5, 5], ...pale}}),
    ];
    return [paths, ...casing, ...fill, ...rails];
  });
}

function borders(c, wideZoom) {
  const line = (id, level, width, dash, minzoom = 0) => of('borders-' + id, 'boundaries', 'line', {
    minzoom, filter: ['all', ['==', ['get', 'admin_level'], level], on('maritime', false)], layout: {'line-join': 'round'}, paint: {'line-color': c.border, 'line-width': width, 'line-dasharray': dash},
  });
  return beyond([line('states', 4, zoomed(3, 0.6, 10, 1.8), [4, 2, 1, 2], 3), line('countries', 2, zoomed(2, 0.9, 10, 2.6), [6, 2])], wideZoom);
}

// heatLayers draw the score that setHeat puts into them, along the streets; hidden until then.
export const heatIds = ['heat-casing', 'heat'];

function heatLayers(c) {
  const width = [10, 1.6, 12, 2.4, 14, 4, 16, 8, 18, 18];
  const line = (id, paint) => ({id, source: 'heat', 'source-layer': 'heat', type: 'line', layout: {visibility: 'none', ...round, 'line-cap': 'butt'}, paint});
  return [
    line('heat-casing', {'line-color': c.heatCasing, 'line-width': wider(width, 1.6), 'line-opacity': 0.55}),
    line('heat', {'line-color': heatColours[0], 'line-width': zoomed(...width)}),
  ];
}

// heatColour is the colour of a score of the vocabulary whose values in the tiles are twentieths, 0 to 100.
export function heatColour({id, steps}) {
  return ['step', ['get', id], ...steps.flatMap((step, i) => i ? [step, heatColours[i]] : [heatColours[i]])];
}

// outlines stand back over a ground, which has borders of its own.
function outlines(c, wideZoom, ground) {
  return Object.entries(levels).flatMap(([level, [from, to]]) => {
    const wider = level >= 37, pale = ground && wider;
    const layer = {
      id: 'outlines-' + level, source: 'map', 'source-layer': 'outlines', type: 'line', minzoom: ground && level === '30' ? 10 : pale && level === '60' ? 5 : from, maxzoom: to,
      filter: ['==', ['get', 'level'], Number(level)],
      paint: {'line-color': c.outline, 'line-width': pale ? 0.8 : wider ? 1.6 : 1, 'line-opacity': pale ? 0.4 : level === '32' ? 0.35 : ground ? 0.6 : 0.75, 'line-dasharray': wider ? [4, 1.5] : [2, 1.5]},
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

const nameIn = language => language === 'fr' ? ['coalesce', ['get', 'name_fr'], ['get', 'name']] : ['coalesce', ['get', 'name_en'], ['get', 'name']];
const text = (c, colour = c.text, halo = 1.5) => ({'text-color': colour, 'text-halo-color': c.halo, 'text-halo-width': halo});

function labels(c, language, ground) {
  const label = (id, layer, rest, layout, colour = c.text) => ({
    id, source: 'map', 'source-layer': layer, type: 'symbol', ...rest,
    layout: {'text-field': nameIn(language), 'text-font': font, 'text-size': 12, ...layout}, paint: text(c, colour),
  });
  // Names of places are on the ground; those of geographies stand back where these are near.
  const area = named.filter(([level]) => !ground || level !== 38).map(([level, minzoom, maxzoom]) => label('names-' + level, 'names', {
    minzoom: ground && level === 30 ? 10 : minzoom, maxzoom, filter: ['==', ['get', 'level'], level],
  }, {
    'text-size': level === 30 ? 13 : level === 32 ? 10.5 : 12, 'text-font': level === 30 ? bold : font, 'text-max-width': 8, 'text-padding': ground && level === 30 ? 50 : 12,
    ...level >= 37 ? {'text-transform': 'uppercase', 'text-letter-spacing': 0.12, 'text-size': 11} : {}, 'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'population'], 0]],
  }, c.outline));
  return [
    label('names-pois', 'pois', {minzoom: 15.5}, {'text-size': 11, 'text-anchor': 'top', 'text-offset': [0, 0.5], 'text-optional': true, 'text-max-width': 9}, c.poi),
    ...area,
  ];
}

// groundLabels are placed from the last to the first where there is no room for all: places before streets.
function groundLabels(c, language) {
  const label = (id, layer, rest, layout, paint = text(c)) => of(id, layer, 'symbol', {...rest, layout: {'text-field': nameIn(language), 'text-font': font, 'text-size': 12, ...layout}, paint});
  const along = {'symbol-placement': 'line', 'text-size': 11, 'symbol-spacing': 320, 'text-max-angle': 30};
  const ranked = (...sizes) => ['step', ['get', 'rank'], sizes[0], 6, sizes[1], 15, sizes[2], 26, sizes[3]];
  const size = ['interpolate', ['linear'], ['zoom'], 4, ranked(12, 10.5, 10, 9), 8, ranked(15, 12, 11, 10), 12, ranked(19, 15, 13, 11), 16, ranked(22, 18, 15, 13)];
  const place = (id, kinds, rest, layout, colour) => label('places-' + id, 'place_labels', {filter: is('kind', ...kinds), ...rest}, {
    'text-size': size, 'text-max-width': 8, 'text-padding': 4, 'symbol-sort-key': ['get', 'rank'], ...layout,
  }, text(c, colour, 1.8));
  return [
    label('names-squares', 'streets_polygons_labels', {minzoom: 15}, {'text-size': 10.5}, text(c, c.quiet)),
    label('names-stops', 'public_transport', {minzoom: 14, filter: is('kind', 'station', 'halt', 'aerodrome', 'ferry_terminal', 'bus_station')}, {'text-size': 11, 'text-max-width': 8}, text(c, c.quiet)),
    label('names-streams', 'water_lines_labels', {minzoom: 12}, along, text(c, c.waterText)),
    label('names-paths', 'street_labels', {minzoom: 15, filter: is('kind', 'footway', 'path', 'cycleway', 'service', 'track', 'steps', 'pedestrian')}, {...along, 'text-size': 10}, text(c, c.quiet)),
    label('names-streets', 'street_labels', {minzoom: 14, filter: is('kind', 'residential', 'unclassified', 'living_street', 'tertiary')}, along),
    label('names-main', 'street_labels', {minzoom: 12.5, filter: is('kind', 'secondary', 'primary', 'trunk', 'motorway')}, {...along, 'text-size': 11.5}),
    label('refs', 'street_labels', {minzoom: 10, filter: ['all', ['has', 'ref'], is('kind', 'motorway', 'trunk', 'primary')]}, {
      'text-field': ['get', 'ref'], 'text-font': bold, 'text-size': 10, 'symbol-placement': 'line', 'symbol-spacing': 420, 'text-rotation-alignment': 'viewport', 'text-padding': 12,
    }, {'text-color': c.text, 'text-halo-color': c.shield, 'text-halo-width': 3}),
    label('names-water', 'water_polygons_labels', {}, {'text-size': 11.5, 'text-max-width': 6, 'symbol-sort-key': ['-', 0, ['get', 'way_area']]}, text(c, c.waterText)),
    place('small', ['hamlet', 'locality', 'isolated_dwelling', 'farm', 'island'], {minzoom: 12}, {}, c.quiet),
    place('parts', ['suburb', 'quarter', 'neighbourhood'], {minzoom: 11.5}, {'text-transform': 'uppercase', 'text-letter-spacing': 0.08, 'text-size': 11}, c.quiet),
    place('towns', ['town', 'village'], {}, {}),
    place('cities', ['capital', 'state_capital', 'city'], {maxzoom: 15}, {'text-font': bold}),
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
