import { expect, test } from 'vitest';

import { presentTagFilter } from './publisher-filters.ts';

test('omits ids beyond the safe range when presenting a filter', () => {
  const [safeId, unsafeId] = [1, Number.MAX_SAFE_INTEGER + 1];
  expect(presentTagFilter({ include: [safeId, unsafeId], exclude: [unsafeId, safeId] })).toEqual({
    include: [1n],
    exclude: [1n],
  });
});
