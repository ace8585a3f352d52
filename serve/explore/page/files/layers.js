// Layers of the map for analysts: areas coloured by a figure, rings of streets within walking minutes, and points of interest by kind.
// They are put into the style again whenever it is made anew.
import {el} from './dom.js';
import {heatColours} from './style.js';

// ringColours are those of the bands from the nearest: in lightness one after the other, in both palettes.
export const ringColours = {light: ['#54278f', '#756bb1', '#9e9ac8', '#bcbddc'], dark: ['#f2f0f7', '#cbc9e2', '#9e9ac8', '#756bb1']};

// areaColours are those of the classes of a figure, from the lowest: lightness grows, so that they can be distinguished without hues.
export const areaColours = heatColours;

// kinds are the groups of points of interest, with their colour in the light and the dark palette, their shape and the categories of the
// API that are in them; what is in none is in the last.
export const kinds = [
  {id: 'food', light: '#b3261e', dark: '#ff9b8f', shape: 'circle', of: ['cafes', 'restaurants', 'nightlife', 'alcohol']},
  {id: 'groceries', light: '#1b6e3c', dark: '#7fd8a0', shape: 'square', of: ['groceries', 'supermarkets', 'groceries_specialized', 'convenience_stores', 'food_shops']},
  {id: 'transit', light: '#1f5fa8', dark: '#8fbcf5', shape: 'diamond', of: ['bus_stops', 'rapid_transit_stations', 'subway_or_separated_rail_stations', 'tram_stops', 'train_stations', 'ferry_terminals', 'funicular_stations', 'cable_car_stations', 'airports']},
  {id: 'leisure', light: '#5b6b00', dark: '#c9d66b', shape: 'triangle', of: ['parks', 'sport_facilities', 'fitness', 'entertainment', 'art_culture_science', 'libraries', 'casinos', 'conference_centers']},
  {id: 'care', light: '#7b1fa2', dark: '#dca6f0', shape: 'plus', of: ['hospitals', 'health_care', 'pharmacies', 'daycares', 'personal_care', 'pet_care']},
  {id: 'other', light: '#6b4a12', dark: '#e6bd84', shape: 'ring', of: []},
];

// path draws the shape of a kind into a square of 2r.
function path(pen, shape, r) {
  pen.beginPath();
  if (shape === 'square') pen.rect(-r * 0.8, -r * 0.8, r * 1.6, r * 1.6);
  else if (shape === 'plus') for (const [w, h] of [[r, r * 0.38], [r * 0.38, r]]) pen.rect(-w, -h, 2 * w, 2 * h);
  else if (shape === 'diamond' || shape === 'triangle') {
    const corners = shape === 'diamond' ? [[0, -r], [r, 0], [0, r], [-r, 0]] : [[0, -r], [r, r * 0.8], [-r, r * 0.8]];
    corners.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
    pen.closePath();
  } else pen.arc(0, 0, r * 0.85, 0, 2 * Math.PI);
}

// symbol is the picture of a kind: on the map, and in its legend.
export function symbol(kind, dark, size = 28) {
  const canvas = el('canvas', {width: size, height: size, 'aria-hidden': 'true', class: 'symbol'}), pen = canvas.getContext('2d');
  pen.translate(size / 2, size / 2);
  path(pen, kind.shape, size * 0.4);
  pen.lineWidth = size * (kind.shape === 'ring' ? 0.2 : 0.14);
  pen.strokeStyle = kind.shape === 'ring' ? kind[dark ? 'dark' : 'light'] : dark ? '#16181b' : '#fbfaf7';
  pen.stroke();
  pen.fillStyle = kind[dark ? 'dark' : 'light'];
  if (kind.shape !== 'ring') pen.fill();
  return canvas;
}

const pixels = canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);

// hatch is the picture of areas of which nothing is known.
function hatch(dark) {
  const canvas = el('canvas', {width: 16, height: 16}), pen = canvas.getContext('2d');
  pen.strokeStyle = dark ? '#8d887f' : '#8a857b';
  pen.lineWidth = 1.5;
  for (const x of [-8, 0, 8, 16]) { pen.beginPath(); pen.moveTo(x, 16); pen.lineTo(x + 16, 0); pen.stroke(); }
  return canvas;
}

const nothing = ['==', ['get', 'id'], ''];

// createLayers puts the layers onto a map. isDark() says which palette it has; onHover(text, point) gets what is under the pointer, null
// for nothing; onPick({name, category, lat, lng}) gets the point of interest that was clicked.
export function createLayers(map, {isDark, onHover, onPick}) {
  let areas = null; // {level, colours: Map of geog_id to a colour, unknown: [geog_id], text(geog_id, name)}

  // image gives the map a picture of a style. Tiles that were asked for by the style before need it, too, and may come before it is there.
  const image = id => {
    const kind = kinds.find(kind => 'kind-' + kind.id === id);
    if (!map.hasImage(id) && (kind || id === 'unknown-area')) map.addImage(id, pixels(kind ? symbol(kind, isDark()) : hatch(isDark())), {pixelRatio: 2});
  };
  map.setMissingStyleImageResolver(image);

  map.on('style.load', () => {
    const dark = isDark(), layers = map.getStyle().layers, first = test => layers.find(test)?.id;
    const add = (layer, before) => { if (!map.getLayer(layer.id)) map.addLayer(layer, before); };
    if (map.getSource('map')) {
      const below = first(layer => layer.id.startsWith('outlines')) ?? first(layer => layer.type === 'symbol');
      const outlines = {source: 'map', 'source-layer': 'outlines', type: 'fill', filter: nothing};
      image('unknown-area');
      add({...outlines, id: 'areas', paint: {'fill-color': '#888888', 'fill-opacity': 0.62}}, below);
      add({...outlines, id: 'areas-unknown', paint: {'fill-pattern': 'unknown-area', 'fill-opacity': 0.6}}, below);
      addKinds(add);
    }
    if (map.getSource('drawn')) {
      const reached = ringColours[dark ? 'dark' : 'light'];
      add({id: 'reach', source: 'drawn', type: 'fill', filter: ['==', ['get', 'role'], 'reach'],
        paint: {'fill-opacity': 0.32, 'fill-outline-color': reached[0], 'fill-color': ['match', ['get', 'band'], ...reached.flatMap((colour, band) => [band, colour]), '#888888']}}, first(layer => layer.type === 'symbol'));
      const width = ['interpolate', ['linear'], ['zoom'], 11, 1.5, 14, 3.5, 17, 8];
      add({id: 'rings', source: 'drawn', type: 'line', filter: ['==', ['get', 'role'], 'ring'], layout: {'line-cap': 'round', 'line-join': 'round'},
        paint: {'line-width': width, 'line-color': ['match', ['get', 'band'], ...ringColours[dark ? 'dark' : 'light'].flatMap((colour, band) => [band, colour]), '#888888']}}, first(layer => layer.type === 'symbol'));
    }
    render();
  });

  // addKinds draws points of interest by kind in place of dots of one colour, which stay as what is pointed at.
  function addKinds(add) {
    const dots = map.getLayer('pois');
    if (!dots) return;
    for (const kind of kinds) image('kind-' + kind.id);
    const icon = ['match', ['get', 'category'], ...kinds.flatMap(kind => kind.of.length ? [kind.of, 'kind-' + kind.id] : []), 'kind-other'];
    add({id: 'pois-kinds', source: 'map', 'source-layer': 'pois', type: 'symbol', minzoom: dots.minzoom,
      layout: {'icon-image': icon, 'icon-allow-overlap': true, 'icon-ignore-placement': true, 'icon-size': ['interpolate', ['linear'], ['zoom'], 14, 0.6, 18, 1.1]}}, 'pois');
    for (const part of ['circle-opacity', 'circle-stroke-opacity']) map.setPaintProperty('pois', part, 0);
  }

  function render() {
    if (!map.getLayer('areas')) return;
    const entries = [...areas?.colours ?? []];
    map.setFilter('areas', entries.length ? ['all', ['==', ['get', 'level'], areas.level], ['in', ['get', 'id'], ['literal', entries.map(([id]) => id)]]] : nothing);
    if (entries.length) map.setPaintProperty('areas', 'fill-color', ['match', ['get', 'id'], ...entries.flat(), '#888888']);
    map.setFilter('areas-unknown', areas?.unknown.length ? ['in', ['get', 'id'], ['literal', areas.unknown]] : nothing);
  }

  const under = (at, layers, slack) => {
    const there = layers.filter(id => map.getLayer(id));
    return there.length ? map.queryRenderedFeatures([[at.x - slack, at.y - slack], [at.x + slack, at.y + slack]], {layers: there}) : [];
  };

  // textAt is what is said of the area at a place of the screen; undefined where there is none.
  function textAt(at) {
    const found = areas && under(at, ['areas', 'areas-unknown'], 0)[0]?.properties;
    return found ? areas.text(found.id, found.name) : undefined;
  }

  return {
    textAt,
    // setAreas colours areas, or none with null.
    setAreas(next) { areas = next; render(); },
    // clicked says whether a click was on a point of interest; a tap on an area shows its number.
    clicked({point, lngLat}) {
      const found = under(point, ['pois'], 5)[0];
      onHover(textAt(point), point);
      if (found) onPick({...found.properties, lat: found.geometry.coordinates[1], lng: found.geometry.coordinates[0], at: lngLat});
      return Boolean(found);
    },
    // picture is what the map shows, as a canvas; the drawing of WebGL is there to copy only while a frame is drawn.
    picture: () => new Promise(done => {
      map.once('render', () => {
        const from = map.getCanvas(), canvas = el('canvas', {width: from.width, height: from.height});
        canvas.getContext('2d').drawImage(from, 0, 0);
        done(canvas);
      });
      map.triggerRepaint();
    }),
    bounds: () => map.getBounds().toArray().flat(),
  };
}
