import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { EVENTS, eventLabels } from '#commands/kit/event-types.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';

import { findMatchingOptions } from './options.ts';

const translate = translateWith(await createTranslator('en', resources));
const events = EVENTS.map((value) => ({ value, label: translate(eventLabels.byName(value)) }));

test.each([
  // These are in the contract's order, not sorted by label length.
  ['mes', 'Message received'],
  ['mess', 'Message received'],
  ['message', 'Message received'],
  ['alarm', 'Alarm triggered'],
  // A better kind of match wins.
  ['mr', 'Message received'],
  ['mes su', 'Message summary'],
  ['received', 'Message received'],
  ['transfer', 'Transfer'],
  ['MESSAGE_BODY_RECEIVED', 'Message body received'],
])('“%s” finds the event “%s” first', (typed, label) => {
  expect(findMatchingOptions(events, typed)[0]?.label).toBe(label);
});

test('marks letters only in the label', () => {
  const installed = { value: 'INSTALLED', label: 'In the field' };
  expect(findMatchingOptions([installed], 'inst')).toMatchObject([{ ...installed, ranges: [] }]);
  expect(findMatchingOptions([installed], 'fie')).toMatchObject([{ ...installed, ranges: [[7, 10]] }]);
  expect(findMatchingOptions([installed], ' ')).toEqual([installed]);
});
