import { expect, test } from 'vitest';

import { MAX_LEVEL, simplifyTrack, type Stay } from './track.ts';

const at = (latitude: number, longitude: number, time: number): Stay => ({
  latitude,
  longitude,
  start: time,
  end: time,
});
const places = (track: readonly Stay[]) => track.map(({ latitude, longitude }) => [latitude, longitude]);

test('drops positions on the way between their neighbors, and keeps corners', () => {
  const track = [at(0, 0, 1), at(0, 1, 2), at(0, 2, 3), at(1, 2, 4)];
  expect(places(simplifyTrack(track, MAX_LEVEL))).toEqual([
    [0, 0],
    [0, 2],
    [1, 2],
  ]);
});

test('keeps less detail at a lower level', () => {
  const track = [at(0, 0, 1), at(0.1, 1, 2), at(0, 2, 3)];
  expect(simplifyTrack(track, 10)).toHaveLength(3);
  expect(simplifyTrack(track, 3)).toHaveLength(2);
  // The whole track is in one cell of the world.
  expect(simplifyTrack(track, 0)).toEqual([{ ...track[0], end: 2 }, track[2]]);
});

test('joins positions that the level cannot tell apart to a stay', () => {
  const track = [at(50, 5, 1), at(50, 5 + 1e-6, 2), at(50, 5, 3), at(51, 5, 4)];
  expect(simplifyTrack(track, 12)).toEqual([{ ...track[0], end: 3 }, track[3]]);
  expect(simplifyTrack(track, MAX_LEVEL)).toEqual(track);
});

test('keeps the places where the device stayed on its way', () => {
  const stay = { ...at(0, 1, 2), end: 3 };
  const track = [at(0, 0, 1), stay, at(0, 2, 4), at(0, 3, 5)];
  expect(simplifyTrack(track, MAX_LEVEL)).toEqual([track[0], stay, track[3]]);
});

test('takes the short way across the 180th meridian', () => {
  const track = [at(0, 179, 1), at(0, -179.5, 2), at(0, -178, 3)];
  expect(places(simplifyTrack(track, 10))).toEqual([
    [0, 179],
    [0, -178],
  ]);
  const back = [at(0, -179, 1), at(0, 179, 2), at(0, 178, 3), at(10, 178, 4)];
  expect(places(simplifyTrack(back, 10))).toEqual([
    [0, -179],
    [0, 178],
    [10, 178],
  ]);
});

test('accepts the poles, an empty track, and a single position', () => {
  expect(simplifyTrack([], 0)).toEqual([]);
  expect(simplifyTrack([at(90, 0, 1)], 21)).toEqual([at(90, 0, 1)]);
  expect(simplifyTrack([at(90, 0, 1), at(-90, 0, 2)], 21)).toHaveLength(2);
});
