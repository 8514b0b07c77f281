import { expect, test } from 'vitest';
import { presentTagFilter } from './publisher-filters.ts';

test('ids that name no tag are left out when a filter is shown', () => {
  const [known, beyond] = [1, Number.MAX_SAFE_INTEGER + 1];
  expect(presentTagFilter({ include: [known, beyond], exclude: [beyond, known] })).toEqual({
    include: [1n],
    exclude: [1n],
  });
});
