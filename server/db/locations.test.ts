import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { LocationSelectionSchema, ShapeSchema } from '#proto/gen/hiber/base_pb.ts';
import { MAX_TOTAL_POINTS, MAX_SHAPE_POINTS } from '#server/wire/requests/limits.ts';

import { readLocationSelection, readShape } from './locations.ts';

const points = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ latitude: index / 100, longitude: 0 }));
const asText = (count: number): string =>
  `[${points(count)
    .map(({ latitude, longitude }) => `[${latitude},${longitude}]`)
    .join()}]`;

test.each([
  ['as a list', (count: number) => create(ShapeSchema, { path: points(count) })],
  ['as text', (count: number) => create(ShapeSchema, { textual: asText(count) })],
])('accepts shapes with 3 to 200 points, %s', (_, shape) => {
  expect(readShape(shape(3), 'The shape')).toHaveLength(3);
  expect(readShape(shape(MAX_SHAPE_POINTS), 'The shape')).toEqual(points(MAX_SHAPE_POINTS));
  expect(() => readShape(shape(2), 'The shape')).toThrow('The shape needs at least three points');
  expect(() => readShape(shape(MAX_SHAPE_POINTS + 1), 'The shape')).toThrow('The shape has 201 points');
});

test("limits the total number of points in a selection's shapes, whether listed or textual", () => {
  const selection = (...counts: number[]) =>
    create(LocationSelectionSchema, {
      shapes: counts.map((count, index) => (index % 2 === 0 ? { path: points(count) } : { textual: asText(count) })),
    });
  const pointCounts = [MAX_SHAPE_POINTS, MAX_SHAPE_POINTS, MAX_TOTAL_POINTS - 2 * MAX_SHAPE_POINTS];
  expect(readLocationSelection(selection(...pointCounts))?.shapes).toHaveLength(3);
  expect(() => readLocationSelection(selection(...pointCounts, 3))).toThrow(
    `The shapes have ${MAX_TOTAL_POINTS + 3} points in total`,
  );
});
