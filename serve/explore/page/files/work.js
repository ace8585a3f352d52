// "My work": a place to which the times from all others are shown. The link holds it, and nothing else does.
import {resolve} from './resolve.js';

// createWork returns the place of a page: {at, picking, pick(), set(target), clear()}. at is {lat, lng} or null; picking says that the
// next place which is clicked or found is it. say writes a notice, ask puts the focus where a place is asked for, and shown is called
// when it has changed.
export function createWork(context, {say, ask, shown}) {
  const work = {picking: false, pick, set, clear, get at() { return context.view.work; }};

  async function set(target) {
    work.picking = false;
    say('');
    try {
      const {lat, lng} = await resolve(context.api, target); // of an area the point in its middle
      context.set({work: {lat, lng}});
    } catch (error) {
      return say(context.sentence(error));
    }
    await shown();
  }

  function pick() {
    work.picking = true;
    say(context.t('travel.work.pick'));
    ask();
  }

  function clear() {
    context.set({work: null});
    return shown();
  }

  return work;
}

// toWork asks how long it takes to work from points {lat, lng} by a way of wayOf: the answers, each null where there is none.
export const toWork = (from, way, {api, view, agrees}) => Promise.all(from.map(({lat, lng}) => {
  if (!view.work || !agrees('travel')) return null;
  return api.get('travel-times', {from: `${lat},${lng}`, to: `${view.work.lat},${view.work.lng}`, ...way, legs: true})
    .catch(error => { if ([400, 401, 404].includes(error.status) && error.kind !== 'session_ended') return null; throw error; });
}));
