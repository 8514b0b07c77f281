import { expect, test } from 'vitest';

import { parseUrl } from './go.ts';

test.each([
  ['/devices', { path: '/devices', search: {} }],
  [
    'http://127.0.0.1:7878/devices?filter=health%3AERROR+pump&panel[0]=device%2F831C+16AA&panel%5B1%5D=tag/4#x',
    { path: '/devices', search: { filter: 'health:ERROR pump', panel: ['device/831C 16AA', 'tag/4'] } },
  ],
  ['https://example.com', undefined],
  ['devices', undefined],
  ['/devices?filter=%zz', undefined],
])('parses the URL %s, or rejects it', (address, location) => {
  expect(parseUrl(address)).toEqual(location);
});
