import { expect, test } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { parseFilter } from './parse.ts';
import { suggestValueFilters } from './value-filters.ts';

const suggestionsFor = (text: string) => suggestValueFilters(parseFilter(text, gadget), testContext());

test.each([
  ['error', ['state:ERROR']],
  ['eror', ['state:ERROR']],
  ['volts>3 error online:true', ['volts>3 state:ERROR online:true']],
  ['"error"', []],
  ['xyzzy', []],
  ['er', []],
  ['ok', ['state:OK']],
  ['state:OK', []],
  ['eror ok', ['eror state:OK', 'state:ERROR ok']],
])('suggests filters for %s: %j', async (text, suggestions) => {
  expect(await suggestionsFor(text)).toEqual(suggestions);
});
