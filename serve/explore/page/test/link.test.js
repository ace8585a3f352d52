import assert from 'node:assert/strict';
import {test} from 'node:test';
import {read, readPoint, write} from '../files/link.js';

const whole = {
  map: {zoom: 13.5, lat: 45.0341, lng: -72.6168}, at: {lat: 45.0341, lng: -72.6168}, geography: 'g10_i2grf43pgx', panel: 'scores',
  language: 'fr', heat: 'cafes', why: 'quiet', compare: [{lat: -45.04, lng: 172.6}], areas: '10:income_stats.median_household_income',
  travel: 'transit.saturday.17:00', work: {lat: 45.04, lng: -72.61},
};
const nothing = {map: null, at: null, geography: null, panel: null, language: null, heat: null, why: null, compare: null, areas: null, travel: null, work: null};

test('a view comes back from its link', () => {
  const link = write(whole);
  assert.equal(link, '#map=13.5/45.0341/-72.6168&at=45.0341,-72.6168&in=g10_i2grf43pgx&panel=scores&lang=fr&heat=cafes&why=quiet&with=-45.04,172.6&areas=10:income_stats.median_household_income&travel=transit.saturday.17:00&work=45.04,-72.61');
  assert.deepEqual(read(link), whole);
  const second = {...nothing, compare: [{geog_id: 'g30_lhzhtw7ywk'}]};
  assert.deepEqual(read(write(second)), second);
});

test('several places are compared, at most five, and what is none is left out', () => {
  const several = {...nothing, compare: [{geog_id: 'g30_lhzhtw7ywk'}, {lat: 45, lng: -72}, {geog_id: 'g10_i2grf43pgx'}]};
  assert.equal(write(several), '#with=g30_lhzhtw7ywk;45,-72;g10_i2grf43pgx');
  assert.deepEqual(read(write(several)), several);
  assert.deepEqual(read('#with=%3Cb%3E;45,-72;;91,0').compare, [{lat: 45, lng: -72}]);
  assert.equal(read('#with=' + '1,2;'.repeat(1000)).compare.length, 5);
});

test('an empty view has an empty link', () => {
  assert.equal(write(nothing), '#');
  for (const fragment of ['', '#']) assert.deepEqual(read(fragment), nothing);
});

test('what cannot be read is left out, and the rest is kept', () => {
  for (const [part, name] of [
    ['map=13/45', 'map'], ['map=25/45/-72', 'map'], ['map=-1/45/-72', 'map'], ['map=13/91/-72', 'map'], ['map=13/45/-72/1', 'map'], ['map=13/x/-72', 'map'], ['map=13//-72', 'map'],
    ['at=45', 'at'], ['at=45,181', 'at'], ['at=45,-72,3', 'at'], ['at=NaN,1', 'at'], ['at=1e1,1', 'at'], ['at=,', 'at'], ['in=10', 'geography'], ['in=g10_%3Cb%3E', 'geography'],
    ['in=g10_' + 'x'.repeat(33), 'geography'], ['panel=../etc', 'panel'], ['lang=de', 'language'], ['heat=%22%3E', 'heat'], ['why=', 'why'], ['with=g1', 'compare'], ['with=1', 'compare'], ['areas=30', 'areas'], ['areas=30:%3Cb%3E', 'areas'], ['areas=300:cafes', 'areas'], ['areas=30:a.b.c', 'areas'],
    ['travel=boat', 'travel'], ['travel=transit', 'travel'], ['travel=transit.monday.08:00', 'travel'], ['travel=transit.tuesday.24:00', 'travel'], ['work=x', 'work'], ['work=45,-72;1,2', 'work'],
  ]) {
    const view = read('#heat=cafes&' + part + '&panel=pois');
    if (name === 'heat' || name === 'panel') assert.equal(view[name], name === 'heat' ? 'cafes' : null, part);
    else assert.equal(view[name], null, part);
    assert.equal(read('#lang=fr&' + part).map, null, part);
  }
  assert.equal(read('#%E0%A4%A&lang=fr').language, 'fr');
});

test('coordinates keep seven decimals and no noise', () => {
  assert.equal(write({at: {lat: 45.03410004, lng: -72.1 - 0.2}}), '#at=45.0341,-72.3');
  assert.equal(write({map: {zoom: 13.499999, lat: 45.000001, lng: -72}}), '#map=13.5/45/-72');
});

test('a point is two numbers on the globe', () => {
  assert.deepEqual(readPoint(' 45.5 , -72'), {lat: 45.5, lng: -72});
  for (const text of [null, '', '45', '45,', '90.1,0', '0,-180.5', '0x1,2']) assert.equal(readPoint(text), null, String(text));
});
