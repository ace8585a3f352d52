import {svg} from './dom.js';

// A small map of the United States and Canada on which a region is marked. Its outlines are those of Natural Earth, 1:50 million, in the
// public domain, simplified to halves of degrees: x is twice the longitude, y −2.8 times the latitude.
const land = 'M-173-199l3 0l-2-3l24 0l-2 3l9 0l-2 3l6-2l-3 2l4-1l2 2l-5 0l6 1l-6 1l16 6l-4 5l-4-2l2-2l-8 1l6 4l2 3l-1 3l-8-3l5 5l-14-8l-9 1' +
  'l1-3l8 0l-2-2l5-3l-3-3l-6-1l2-2l-7-4l-4 3l-14-2l-3-2l5 0l-6-2l7-1l3 2zM-188-201l5 5l-3 1l5 0l-1 1l2 3l4-2l1 5l5-5l-1-3l8 4l-2' +
  ' 0l2 4l-7 1l2 2l-5-1l1 1l-3 2l-8-2l9 2l-2 3l-11 0l6 3l-9 8l0 4l4 1l0 5l21 5l1 8l5 4l2-4l-2-7l6-5l-4-6l2-4l-1-6l9-1l8 4l-2 3l2' +
  ' 2l-1 1l3 1l-1 2l6-2l3-5l8 15l6 1l-6 4l6-3l4 6l-9 5l-13 0l-9 5l2 2l-9 7l18-11l2 2l-4 2l11 7l-9 5l-1-3l5-2l-2-2l-9 4l-4 6l2 2l' +
  '-8 2l-2 6l-1-2l-1 7l0-7l-1 4l-1-2l1 5l-2-1l4 5l-2-1l1 1l-2 1l1 1l-10 11l2 16l-6-13l-9-2l-5 1l3 4l-10-3l-5 4l-3 3l1 13l-17 0l-' +
  '11-15l-3-8l-4-2l1 5l10 18l-1 2l-10-14l2-2l-7-13l-6-4l-4-8l2-2l-3 1l-3-7l1-16l2 0l-3-6l3 0l1 3l-1-6l-9-5l1-5l-2 3l-1-6l-4 1l2-' +
  '5l-2 2l-1-4l-2 1l1-1l-5-7l-3-2l1 3l-2-2l-1 2l-6-5l-17-3l-1 3l-6 2l0-4l5 0l-1-2l-7 3l-2 3l1 1l-10 8l-10 3l12-7l1-5l-10 2l0-6l-' +
  '4 3l-3-3l4-1l-5-2l3-4l7-1l0-3l-10 0l-4-3l16-2l-14-5l21-9l42 8l-1-2l3-1l10-1l-7 4l10-6l5 4l2-2l19 3l2 1l-2 2l10 0l5 4l-1-4l4-2' +
  'l-5 0l22 3l-2-2l1-1l4 1l0 4l5-7l-5-2l-1-3zM-217-202l7 0l8 6l-5 1l3 2l-6 0l-16 1l-8-4l11-1l-14-2l6-1l-7-2zM-111-144l-3 5l7 1l1' +
  ' 6l-13-2zM-166-118l8-2l-5 4l-3 0zM-193-142l-1 1l0-4l-4-4l0-2l2 1l0-2zM-218-176l-5 1l4 0l-9 4l-4-1l3-1l-3-3l5 2zM-152-125l-2 4' +
  'l-5 0l3-2zM-236-186l0 2l-6 2l1-2l-6 2l2-3l-5 0l10-3l2 1l-3 1zM-170-128l-3 3l0 8l-2 0l-1-3l1-5l-1 0l2-4zM-169-130l-8-2l-7 1l6-' +
  '4l2-2l3 0l3 3zM-169-130l7 1l3 4l-4-2l-2 7l-1-3l-2 1l1-4l-3-2l2-1z';

// locator draws the box [west, south, east, north] of a region: as it is, and as a dot where that would be too small to see. It says
// nothing that the name beside it does not say.
export function locator([west, south, east, north]) {
  const x = 2 * west, y = -2.8 * north, width = 2 * (east - west), height = 2.8 * (north - south);
  return svg('svg', {viewBox: '-264 -168 164 104', 'aria-hidden': 'true', focusable: 'false'},
    svg('path', {d: land, 'fill-rule': 'evenodd'}),
    svg('circle', {cx: x + width / 2, cy: y + height / 2, r: 9, class: 'halo'}),
    Math.max(width, height) > 6 ? svg('rect', {x, y, width, height}) : svg('circle', {cx: x + width / 2, cy: y + height / 2, r: 3.2}));
}
