// How the map moves to another place: at once where it is far, so that nobody flies over empty ground, and shortly where it is near.

const short = 400; // ms

// pace is what to add to the options of a movement of the map to a box [[west, south], [east, north]]: near is what is seen by now, and as
// much again on each side.
export function pace(map, [[west, south], [east, north]]) {
  const seen = map.getBounds(), wide = seen.getEast() - seen.getWest(), high = seen.getNorth() - seen.getSouth();
  const near = west <= seen.getEast() + wide && east >= seen.getWest() - wide && south <= seen.getNorth() + high && north >= seen.getSouth() - high;
  return {duration: near ? short : 0};
}
