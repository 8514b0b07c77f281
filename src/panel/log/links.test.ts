import { expect, test } from 'vitest';

import { splitLinks } from './links.ts';

test.each([
  ['no link', []],
  ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
  ['(http://example.com/x), HTTPS://EXAMPLE.COM!', ['http://example.com/x', 'HTTPS://EXAMPLE.COM']],
  ['https://example.com/Valve_(part)) ends', ['https://example.com/Valve_(part)']],
  ['line\nhttps://example.com/1\nhttps://example.com/2', ['https://example.com/1', 'https://example.com/2']],
  ['javascript:alert(1) data:text/html,x ftp://example.com xhttps://example.com', []],
  ['https:// http://[', []],
  ['<a href="https://example.com/">', ['https://example.com/']],
])('finds the links in %j', (text, urls) => {
  const parts = splitLinks(text);
  expect(parts.flatMap(({ url }) => url ?? [])).toEqual(urls);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});
