import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { FilterError, createProblem } from '#commands/query/problem.ts';
import { message } from '#commands/text/message.ts';

import { isInvalidFilter } from './InvalidFilter.tsx';

const invalid = new FilterError(createProblem({ from: 0, to: 3 }, message('core:query.key')));

test.each([
  ['health:nope', invalid, true],
  ['number:"FFFF FFFF"', new ConnectError('northwind has no device FFFF FFFF.', Code.NotFound), true],
  ['', new ConnectError('There is no organization northwind.', Code.NotFound), false],
  ['health:ERROR', new ConnectError('unavailable', Code.Unavailable), false],
  ['health:ERROR', new Error('a bug in the console'), false],
])('considers the filter “%s” invalid after %s: %s', (filter, error, expected) => {
  expect(isInvalidFilter(filter, error)).toBe(expected);
});
