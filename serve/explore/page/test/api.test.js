import assert from 'node:assert/strict';
import {afterEach, test} from 'node:test';
import {createApi, query} from '../files/api.js';

const real = globalThis.fetch;
afterEach(() => { globalThis.fetch = real; });

// serve answers requests by a list of [status, body, headers], and returns the paths that were asked.
function serve(...answers) {
  const asked = [];
  globalThis.fetch = async path => {
    asked.push(path);
    const [status, body, headers = {}] = answers[Math.min(asked.length, answers.length) - 1];
    return new Response(body === undefined ? null : JSON.stringify(body), {status, headers});
  };
  return asked;
}

test('parameters that are not there are left out', () => {
  assert.equal(query({lat: 45, lng: 0, level: null, language: undefined, name: '', categories: ['a', 'b'], text: 'é&='}), '?lat=45&lng=0&categories=a%2Cb&text=%C3%A9%26%3D');
  assert.equal(query({}), '');
});

test('an answer is asked once, and one without data is null', async () => {
  const asked = serve([200, {data: 1}], [204]);
  const api = createApi();
  assert.deepEqual(await Promise.all([api.get('scores', {lat: 1}), api.get('scores', {lat: 1})]), [{data: 1}, {data: 1}]);
  assert.equal(await api.get('scores', {lat: 2}), null);
  assert.deepEqual(asked, ['/explore/api/scores?lat=1', '/explore/api/scores?lat=2']);
});

test('each failure has its kind, and is asked again', async () => {
  for (const [status, body, kind] of [
    [401, {code: 'session_ended'}, 'session_ended'], [401, {code: 'Service.API.Unauthorized', detail: 'this product is not part of the agreement'}, 'product'],
    [401, {code: 'Service.API.Unauthorized', detail: 'this place is outside the regions of the agreement'}, 'region'], [403, {message: 'Forbidden'}, 'forbidden'],
    [404, {detail: 'no such geography'}, 'not_found'], [400, {detail: 'lat'}, 'refused'], [422, {message: 'lat'}, 'refused'], [404, {code: 'not_explained'}, 'not_explained'], [503, {code: 'not_compared'}, 'not_compared'], [503, {code: 'damaged_files'}, 'damaged_files'], [503, {}, 'unavailable'], [500, {}, 'server'], [502, undefined, 'server'],
  ]) {
    const asked = serve([status, body]);
    const api = createApi();
    for (const _ of [1, 2]) await assert.rejects(api.get('x'), {name: 'ApiError', kind, status});
    assert.equal(asked.length, 2);
  }
  serve([429, {message: 'Too Many Requests'}, {'Retry-After': '3'}]);
  await assert.rejects(createApi().get('x'), {kind: 'too_many', retryAfter: 3});
  globalThis.fetch = async () => { throw new TypeError('fetch failed'); };
  await assert.rejects(createApi().get('x'), {kind: 'network', status: 0});
});

test('another release is noticed once, and what was kept is asked again', async () => {
  const asked = serve([200, {data: 1}, {'Quartier-Release': 'a'}], [200, {data: 2}, {'Quartier-Release': 'b'}]);
  const seen = [];
  const api = createApi({onRelease: digest => seen.push(digest)});
  await api.get('x');
  await api.get('x');
  assert.deepEqual([asked.length, seen], [1, []]);
  await api.get('y');
  assert.deepEqual(seen, ['b']);
  assert.deepEqual(await api.get('x'), {data: 2});
  assert.deepEqual([asked.length, seen], [3, ['b']]);
});
