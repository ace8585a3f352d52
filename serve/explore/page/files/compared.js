// The places that the one which is looked at is compared with: which they are, and how one is added or left out.
import {mostCompared} from './link.js';
import {resolve} from './resolve.js';

// createCompared returns the places of a page: {others, picking, pick(), remove(i), clear(), add(target), restore(targets)}, where picking
// says that the next place which is clicked or found is one of them. say writes a notice, ask puts the focus where a place is asked for,
// and shown is called when they have changed.
export function createCompared(context, {say, ask, shown}) {
  const all = {others: [], picking: false, pick, remove, clear, add, restore};
  let restored = 0; // counts links, so that a place of an earlier one is not added

  // add looks up a place. linked: it is of the link, which stays as it is.
  async function add(target, linked = false) {
    const number = restored;
    all.picking = false;
    say('');
    try {
      const found = await resolve(context.api, target);
      if (number !== restored) return;
      const same = one => one.geog_id === found.geog_id && (found.geog_id || one.lat === found.lat && one.lng === found.lng);
      if (!all.others.some(same)) all.others = [...all.others, found].slice(0, mostCompared);
    } catch (error) {
      return say(context.sentence(error));
    }
    await changed(linked);
  }

  // restore has the places of a link in place of those before.
  async function restore(targets) {
    const number = ++restored;
    Object.assign(all, {others: [], picking: false});
    context.map.markOther([]);
    for (const one of targets ?? []) if (number === restored) await add(one, true);
  }

  async function changed(linked = false) {
    const {others} = all;
    if (!linked) context.set({compare: others.length ? others.map(one => one.geog_id ? {geog_id: one.geog_id} : {lat: one.lat, lng: one.lng}) : null});
    context.map.markOther(others);
    await shown();
  }

  function pick() {
    all.picking = true;
    say(context.t('compare.pick'));
    ask();
  }

  function remove(i) {
    all.others = all.others.toSpliced(i, 1);
    changed();
  }

  function clear() {
    Object.assign(all, {others: [], picking: false});
    changed();
  }

  return all;
}
