// The style of the map: tiles of the Shortbread schema in a light and a dark palette. Labels name no font files, so that MapLibre
// draws them with the fonts of the browser. Pure.

const palettes = {
  light: {land: '#f4f2ed', water: '#b5d0e0', green: '#d8e6cc', site: '#ece8e0', building: '#e1dcd2', street: '#ffffff', main: '#fbe7b8', motorway: '#f3c988', casing: '#d2ccc0',
    path: '#cabfae', rail: '#a8a3a0', border: '#8a6f99', text: '#3c3a37', waterText: '#3c6a86', halo: '#fbfaf7'},
  dark: {land: '#1d2023', water: '#17303f', green: '#212e1e', site: '#23262a', building: '#2b2e32', street: '#3d4247', main: '#5a5138', motorway: '#6d5a36', casing: '#14161a',
    path: '#4a463e', rail: '#63676c', border: '#a68db3', text: '#e4e2dd', waterText: '#8db7cf', halo: '#16181b'},
};

const zoomed = (...stops) => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];
const wider = stops => zoomed(...stops.map((stop, i) => i % 2 ? stop + 1.4 : stop));
const is = (...kinds) => ['match', ['get', 'kind'], kinds, true, false];
const round = {'line-cap': 'round', 'line-join': 'round'};
const green = is('forest', 'grass', 'meadow', 'orchard', 'vineyard', 'allotments', 'cemetery', 'grave_yard', 'village_green', 'recreation_ground', 'golf_course', 'park', 'garden',
  'playground', 'scrub', 'heath', 'grassland', 'marsh', 'swamp', 'wet_meadow', 'bog', 'string_bog');
const rails = is('rail', 'narrow_gauge', 'tram', 'light_rail', 'subway', 'monorail', 'funicular');
const streets = [
  ['streets', is('unclassified', 'residential', 'living_street', 'service', 'pedestrian', 'busway', 'taxiway'), 'street', [12, 0.8, 14, 2.4, 18, 15]],
  ['main', is('primary', 'secondary', 'tertiary', 'runway'), 'main', [8, 0.5, 13, 3, 18, 20]],
  ['motorways', is('motorway', 'trunk'), 'motorway', [5, 0.6, 13, 4, 18, 24]],
];

// styleOf returns the style. In: the URL of the tiles, their zooms, the language of names, whether it is dark.
export function styleOf({url, zooms, language, dark}) {
  const c = palettes[dark ? 'dark' : 'light'];
  const layer = (id, type, paint, rest = {}) => ({id, type, source: 'ground', 'source-layer': id, paint, ...rest});
  const fill = (id, colour, rest) => layer(id, 'fill', {'fill-color': colour}, rest);
  const line = (id, colour, width, rest) => layer(id, 'line', {'line-color': colour, 'line-width': width}, {layout: round, ...rest});
  const of = {'source-layer': 'streets'};
  const name = language === 'fr' ? ['coalesce', ['get', 'name_fr'], ['get', 'name']] : ['coalesce', ['get', 'name_en'], ['get', 'name']];
  const label = (id, size, rest, colour = c.text, layout = {}) => layer(id, 'symbol', {'text-color': colour, 'text-halo-color': c.halo, 'text-halo-width': 1.5}, {
    ...rest, layout: {'text-field': name, 'text-font': ['system-ui', 'sans-serif'], 'text-size': size, 'text-max-width': 8, 'text-padding': 6, ...layout},
  });
  const along = {'symbol-placement': 'line', 'symbol-spacing': 280};
  return {
    version: 8,
    sources: {ground: {type: 'vector', tiles: [url], minzoom: zooms[0], maxzoom: zooms[1]}},
    layers: [
      {id: 'background', type: 'background', paint: {'background-color': c.land}},
      fill('ocean', c.water),
      fill('sites', c.site, {minzoom: 13, filter: is('school', 'university', 'college', 'hospital', 'parking', 'prison')}),
      fill('land', c.green, {filter: green}),
      fill('water_polygons', c.water),
      line('water_lines', c.water, zoomed(8, 0.6, 14, 2, 18, 8)),
      fill('street_polygons', c.street),
      fill('buildings', c.building, {minzoom: 13}),
      line('paths', c.path, zoomed(13, 0.6, 18, 2.4), {...of, minzoom: 14, filter: is('track', 'footway', 'steps', 'path', 'cycleway'), paint: {'line-color': c.path, 'line-width': zoomed(13, 0.6, 18, 2.4), 'line-dasharray': [2, 1.5]}}),
      ...streets.flatMap(([id, filter, , width]) => line(id + '-casing', c.casing, wider(width), {...of, filter, minzoom: 11})),
      ...streets.map(([id, filter, colour, width]) => line(id, c[colour], zoomed(...width), {...of, filter})),
      line('rails', c.rail, zoomed(8, 0.5, 14, 1.4, 18, 3), {...of, filter: rails}),
      line('boundaries', c.border, 1.2, {filter: ['!=', ['coalesce', ['get', 'maritime'], false], true]}),
      label('street_labels', 11, {minzoom: 13.5}, c.text, along),
      label('water_lines_labels', 11, {minzoom: 13}, c.waterText, along),
      label('water_polygons_labels', 11, {minzoom: 12}, c.waterText),
      label('place_labels', ['match', ['get', 'kind'], ['capital', 'state_capital', 'city'], 15, ['town'], 13, 11.5], {}, c.text, {'symbol-sort-key': ['coalesce', ['get', 'rank'], 9]}),
    ],
  };
}
