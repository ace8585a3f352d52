import assert from 'node:assert/strict';
import {test} from 'node:test';
import {begins, coordinates, groups, marked, same, viewOf} from '../files/suggest.js';

test('typed coordinates', () => {
  const place = {lat: 45.0341, lng: -72.6168};
  for (const text of ['45.0341, -72.6168', ' 45.0341 -72.6168 ', '45.0341;-72.6168', '45,0341; -72,6168', '45,0341 -72,6168', '45.0341 N, 72.6168 W', '45.0341° N 72.6168° O']) {
    assert.deepEqual(coordinates(text), place, text);
  }
  assert.deepEqual(coordinates('45, -72'), {lat: 45, lng: -72});
  for (const text of ['', 'Ottawa', '45', '91, 0', '0, 181', '45.0341', 'Highway 45, 72', '1 2 3']) assert.equal(coordinates(text), null, text);
});

test('what is found is arranged by kind, the best first', () => {
  const found = [
    {kind: 'geography', id: 'g10_a', name: '<b>Old Town</b>', within: 'Springfield, Ontario', lat: 45, lng: -75, level: 10, type: 'neighbourhood', bbox: [-76, 44, -74, 46]},
    {kind: 'poi', id: 'poi-7', name: 'Old Town Café', within: '', lat: 45.1, lng: -75.1, type: 'Cafes'},
    {kind: 'geography', id: 'g30_b', name: 'Old Towne', within: '', lat: 45, lng: -75},
    {kind: 'region', id: 'us-old', name: 'Old', within: 'Ontario', lat: 45, lng: -75, bbox: [-76, 44, -74, 46]},
    {kind: 'address', id: '', name: '12 Main St', within: 'Ottawa, ON', lat: 45.2, lng: -75.2, type: 'Address'},
    {kind: 'point', id: '', name: '45, -75', within: '', lat: 45, lng: -75},
  ];
  assert.deepEqual(groups(found).map(group => [group.kind, group.items.length]), [['geography', 2], ['poi', 1], ['region', 1], ['address', 1], ['point', 1]]);
  const [town, cafe, region, address, point] = groups(found).map(group => group.items[0]);
  assert.deepEqual(town, {kind: 'geography', name: '<b>Old Town</b>', type: 'neighbourhood', where: 'Springfield, Ontario', target: {geog_id: 'g10_a'}});
  assert.deepEqual(cafe.target, {lat: 45.1, lng: -75.1, name: 'Old Town Café'});
  assert.deepEqual(region.target, {lat: 45, lng: -75, region: 'us-old'});
  assert.deepEqual(address.target, {lat: 45.2, lng: -75.2, name: '12 Main St'});
  assert.deepEqual(point.target, {lat: 45, lng: -75});
  assert.deepEqual(groups([]), []);
});

test('the view of a search is coarse', () => {
  assert.deepEqual(viewOf({lat: 45.03412, lng: -72.61684, zoom: 12.4}), {lat: '45.03', lng: '-72.62', zoom: 12});
  assert.deepEqual(viewOf(null), {});
});

test('what was typed is marked in a name, without regard to case and accents', () => {
  const bold = (name, typed) => marked(name, typed).map(part => part.typed ? '[' + part.text + ']' : part.text).join('');
  assert.equal(bold('Québec', 'queb'), '[Québ]ec');
  assert.equal(bold('Vieux-Saint-Aubin', 'SAINT'), 'Vieux-[Saint]-Aubin');
  assert.equal(bold('Ottawa', 'otawa'), 'Ottawa');
  assert.equal(bold('Ottawa', '  '), 'Ottawa');
  assert.equal(bold('Pike Place Fish Market', 'market pi'), '[Pi]ke Place Fish [Market]');
  assert.equal(bold('Mount Montrose', 'ont mon'), 'Mount [Mon]trose', 'words from their beginning');
  assert.equal(bold('', 'x'), '');
  assert.equal(bold('<i>Old</i>', '<i>'), '[<i>]Old</i>');
});

test('an address begins with its number and street', () => {
  for (const typed of ["12 rue de l'Église", ' 12 RUE DE L\'EGLISE, Northville', "12 rue de l'église northville"]) assert.ok(begins("12 rue de l'Église", typed), typed);
  for (const typed of ['12 Main Street', '12 Main St-Denis', '12 Main']) assert.ok(!begins('12 Main St', typed), typed);
});

test('a name is the same as what was typed, whatever its case and accents', () => {
  assert.ok(same('Café de la Paix', ' cafe de la paix'));
  assert.ok(!same('Ballard Mandarin', 'Ballard'));
});
