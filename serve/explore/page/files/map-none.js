// A map that draws nothing, in place of the map where there is none, or until it is there: the rest of the page calls it all the same.

// nowhere has every method of a map. available says whether something of it is seen, or will be; pass hands what was drawn last to the
// map that comes.
export function nowhere(available = false) {
  const nothing = () => {};
  let drawn = null;
  return {
    available,
    mark: nothing, markOther: nothing, outline: nothing, setHeat: nothing, setLanguage: nothing, reload: nothing, setAreas: nothing, picture: nothing,
    bounds: () => null, flyTo: nothing, jumpTo: nothing, zoom: () => null,
    draw: (...all) => { drawn = all; },
    erase: () => { drawn = null; },
    pass: map => { if (drawn) map.draw(...drawn); },
  };
}
