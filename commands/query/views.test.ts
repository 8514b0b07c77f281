import { expect, test } from 'vitest';

import { gadget } from '#commands/testkit/gadget.ts';

import { parseFilter } from './parse.ts';
import { findView } from './views.ts';

const views = [
  { id: 'all', filter: '' },
  { id: 'broken', filter: 'state:ERROR sort:-name' },
];

test.each([
  ['', 'all'],
  ['sort:name', 'all'],
  ['state:error', 'broken'],
  ['state:ERROR sort:name', 'broken'],
  ['state:ERROR pump', undefined],
  // These filters would equal a view without their invalid part.
  ['helth:LOW', undefined],
  ['state:ERROR helth:LOW', undefined],
])('recognizes the filter “%s” as the view %s', (text, id) => {
  expect(findView(parseFilter(text, { ...gadget, views }))?.id).toBe(id);
});
