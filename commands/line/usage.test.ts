import { expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { Param } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';

import { describeArgument } from './usage.ts';

const translate = ({ key, values = {} }: Message): string =>
  [key, ...Object.values(values).map((value) => (typeof value === 'object' ? translate(value) : value))].join(' ');
const tune = command({ id: 'gadget.tune', effect: 'read', run: async () => ({}) });
const describe = (param: Param, short = false) =>
  describeArgument(tune, 'events', param, translate, { short }).replace('gadget:commands.tune.params.events; ', '');

const EVENTS = ['MESSAGE_RECEIVED', 'ALARM_TRIGGERED', 'ASSIGNED', 'TRANSFER', 'USER_ADDED', 'USER_REMOVED', 'OTHER'];
const label = (option: string) => message(option === 'ASSIGNED' ? 'Given' : option.toLowerCase().replace('_', ' '));

test('lists every value', () => {
  expect(describe(p.choices(EVENTS, { label }))).toBe(EVENTS.join(', '));
});

test('lists only a few of many values in the short form, as labels that a line accepts', () => {
  const description = describe(p.choices(EVENTS, { label }), true);
  expect(description.startsWith('common:listMore')).toBe(true);
  for (const name of ['message received', 'ASSIGNED', 'user added']) expect(description).toContain(name);
  expect(description).not.toContain('user removed');
  expect(description.endsWith(' 2')).toBe(true);
  expect(describe(p.choices(EVENTS), true)).toContain('MESSAGE_RECEIVED');
  expect(describe(p.choice(EVENTS.slice(0, 5), { label }), true)).toBe(EVENTS.slice(0, 5).join(', '));
});
