import assert from 'node:assert/strict';
import {test} from 'node:test';
import {coordinates, marked, suggestions} from '../files/suggest.js';

test('typed coordinates', () => {
  const place = {lat: 45.0341, lng: -72.6168};
  for (const text of ['45.0341, -72.6168', ' 45.0341 -72.6168 ', '45.0341;-72.6168', '45,0341; -72,6168', '45,0341 -72,6168', '45.0341 N, 72.6168 W', '45.0341° N 72.6168° O']) {
    assert.deepEqual(coordinates(text), place, text);
  }
  assert.deepEqual(coordinates('45, -72'), {lat: 45, lng: -72});
  for (const text of ['', 'Ottawa', '45', '91, 0', '0, 181', '45.0341', 'Highway 45, 72', '1 2 3']) assert.equal(coordinates(text), null, text);
});

test('suggestions keep the order of the answer and say where each is', () => {
  const names = (en, fr = en) => ({en, fr});
  const found = [
    {geog_id: 'g10_a', name: names('Old Town', 'Vieille Ville'), level_type: names('neighbourhood', 'quartier'), city: names('Springfield'), metro_area: names('Springfield'), sub_country: names('Ontario'), country: names('Canada')},
    {geog_id: 'g60_b', name: names('Quebec', 'Québec'), level_type: names('province'), city: undefined, sub_country: names('Quebec', 'Québec'), country: names('Canada')},
    {geog_id: 'g30_c', name: names('<b>X</b>'), level_type: names('municipality', 'municipalité')},
  ];
  assert.deepEqual(suggestions(found, 'en').map(({known, ...shown}) => shown), [
    {geog_id: 'g10_a', name: 'Old Town', kind: 'neighbourhood', within: 'Springfield, Ontario, Canada'},
    {geog_id: 'g60_b', name: 'Quebec', kind: 'province', within: 'Canada'},
    {geog_id: 'g30_c', name: '<b>X</b>', kind: 'municipality', within: ''},
  ]);
  assert.equal(suggestions(found, 'fr')[0].name, 'Vieille Ville');
  assert.equal(suggestions(found, 'fr')[0].known, found[0], 'so that it is not asked again');
});

test('what was typed is marked in a name, without regard to case and accents', () => {
  const bold = (name, typed) => marked(name, typed).map(part => part.typed ? '[' + part.text + ']' : part.text).join('');
  assert.equal(bold('Québec', 'queb'), '[Québ]ec');
  assert.equal(bold('Vieux-Saint-Aubin', 'SAINT'), 'Vieux-[Saint]-Aubin');
  assert.equal(bold('Ottawa', 'otawa'), 'Ottawa');
  assert.equal(bold('Ottawa', '  '), 'Ottawa');
  assert.equal(bold('<i>Old</i>', '<i>'), '[<i>]Old</i>');
});
