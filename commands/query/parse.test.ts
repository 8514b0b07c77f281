import { expect, test } from 'vitest';

import { gadget } from '../testing/gadget.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';

const canonical = (text: string): string => printFilter(parseFilter(text, gadget).filter);
const problem = (text: string) => {
  const found = parseFilter(text, gadget).problems[0];
  return found && { at: text.slice(found.from, found.to), key: found.message.key, values: found.message.values };
};

test('the same question has one text, however it was typed', () => {
  const text =
    'tag:"North field" -state:error  seen>2D state:warning,Error state:ERROR,WARNING pump sort:-Inactivity,name';
  expect(canonical(text)).toBe('seen>2d state:ERROR,WARNING -state:ERROR tag:"North field" sort:-inactivity,name pump');
  expect(canonical('state:not-seen volts:1.50..20 online:YES')).toBe('online:true state:NOT_SEEN volts:1.5..20');
  expect(canonical('tag:* -tag:"*" firmware:1.4.*')).toBe('firmware:1.4.* tag:* -tag:"*"');
  expect(canonical('seen:"Last  Month" group:state')).toBe('seen:"last month" group:state');
  expect(canonical('*')).toBe('');
});

test('half-typed text keeps what is good and says what is missing', () => {
  expect(canonical('state:ERROR, hea')).toBe('state:ERROR hea');
  expect(problem('pump state:')).toMatchObject({ at: 'state:', key: 'core:query.empty', values: { at: 6 } });
  expect(problem('tag:"North')).toMatchObject({ at: 'tag:"North', key: 'core:query.quote' });
  expect(canonical('state:OK tag:"North')).toBe('state:OK');
});

test('what cannot be selected is said, with what can', () => {
  expect(problem('helth:ERROR')).toEqual({
    at: 'helth:ERROR',
    key: 'core:query.key',
    values: {
      key: 'helth',
      at: 1,
      entity: 'gadgets',
      keys: 'state, tag, firmware, seen, volts, online, sort, group, view',
    },
  });
  expect(problem('state:BROKEN')?.values).toMatchObject({ value: 'BROKEN', options: 'OK, WARNING, ERROR, NOT_SEEN' });
  expect(problem('pump -well')).toMatchObject({ at: '-well', key: 'core:query.negatedWord' });
  expect(problem('-firmware:1.4')?.key).toBe('core:query.negates');
  expect(problem('state>OK')?.key).toBe('core:query.ranges');
  expect(problem('state:*')?.key).toBe('core:query.presence');
  expect(problem('volts>high')?.key).toBe('core:query.number');
  expect(problem('seen>whenever')?.key).toBe('core:query.time');
  expect(problem('sort:colour')?.key).toBe('core:query.sort');
  expect(problem('group:state group:state')?.key).toBe('core:query.groupTwice');
  expect(problem('volts:1..2..3')?.key).toBe('core:query.form');
});
