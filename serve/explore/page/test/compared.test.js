import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createCompared} from '../files/compared.js';

// made returns places to compare with over an API that answers when it is let, by the latitude that it was asked for.
function made() {
  const waiting = new Map(), links = [];
  const api = {get: (_, {lat}) => new Promise(done => waiting.set(lat, () => done({data: {geographies: {}}})))};
  const context = {api, map: {markOther() {}}, set: ({compare}) => links.push(compare), t: key => key, sentence: String};
  const compared = createCompared(context, {say() {}, ask() {}, shown: async () => {}});
  const answer = async lat => { waiting.get(lat)(); await new Promise(done => setTimeout(done)); };
  return {compared, answer, links, latitudes: () => compared.others.map(one => one.lat)};
}

test('places of a link are added in its order, and the link stays', async () => {
  const {compared, answer, links, latitudes} = made();
  compared.restore([{lat: 1, lng: 0}, {lat: 2, lng: 0}]);
  await answer(1);
  await answer(2);
  assert.deepEqual(latitudes(), [1, 2]);
  assert.deepEqual(links, []);
});

test('a place that comes after another link was restored is not added', async () => {
  const {compared, answer, latitudes} = made();
  compared.restore([{lat: 1, lng: 0}, {lat: 3, lng: 0}]);
  compared.restore([{lat: 2, lng: 0}]);
  await answer(2);
  await answer(1);
  assert.deepEqual(latitudes(), [2]);
  compared.restore(null);
  assert.deepEqual(latitudes(), []);
});

test('a place that is chosen is added once, at most five, and is in the link', async () => {
  const {compared, answer, links, latitudes} = made();
  compared.pick();
  assert.equal(compared.picking, true);
  for (const lat of [1, 1, 2, 3, 4, 5, 6]) {
    compared.add({lat, lng: 0});
    await answer(lat);
  }
  assert.equal(compared.picking, false);
  assert.deepEqual(latitudes(), [1, 2, 3, 4, 5]);
  compared.remove(1);
  assert.deepEqual(links.at(-1).map(one => one.lat), [1, 3, 4, 5]);
  compared.clear();
  assert.deepEqual([latitudes(), links.at(-1)], [[], null]);
});
