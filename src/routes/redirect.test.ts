import { expect, it } from 'vitest';

import { safeRedirect } from './redirect.ts';

it('goes where the person was heading', () => {
  expect(safeRedirect('/settings/tags?filter=a', undefined)).toBe('/settings/tags?filter=a');
  expect(safeRedirect(undefined, undefined)).toBe('/');
  expect(safeRedirect(undefined, 'north wind')).toBe('/?organization=north%20wind');
});

it.each(['https://elsewhere.example/', '//elsewhere.example', '/login/token', 'http://[', 'javascript:alert(1)'])(
  'does not follow %s',
  (to) => {
    expect(safeRedirect(to, undefined)).toBe('/');
  },
);
