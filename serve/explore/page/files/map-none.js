// A map that draws nothing, in place of the map where there is none: the rest of the page calls it all the same.

// nowhere has every method of a map; available says that nothing of it is seen.
export function nowhere() {
  const nothing = () => {};
  return {
    available: false,
    mark: nothing, markOther: nothing, outline: nothing, draw: nothing, erase: nothing, setHeat: nothing, setLanguage: nothing,
    reload: nothing, setAreas: nothing, picture: nothing, bounds: () => null, flyTo: nothing, zoom: () => null,
  };
}
