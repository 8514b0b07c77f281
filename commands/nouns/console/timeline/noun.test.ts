import { expect, test } from 'vitest';

import type { Command } from '#commands/model/command.ts';
import type { TimelineHost } from '#commands/model/screen-hosts.ts';
import { availability } from '#commands/run/availability.ts';
import { testContext } from '#commands/testkit/context.ts';

import { noun } from './noun.ts';

const commands = noun.commands as readonly Command[];
const commandOf = (verb: string): Command => commands.find((command) => command.verb === verb)!;

test.each(['start-earlier', 'start-later'])('%s requires the permission to assign', (verb) => {
  expect(commandOf(verb).requires).toEqual(['ASSIGNMENTS']);
});

test('a read-only support session can look at assignments, but not move them', () => {
  const { organization } = testContext();
  const supportSession = { id: '1', reason: '', endsAt: 0, changesAllowed: false };
  const timeline = { solve: () => undefined } as Partial<TimelineHost> as TimelineHost;
  const context = testContext({ organization: { ...organization, supportSession }, host: { timeline } });
  const rejected = commands.filter((command) => {
    const result = availability(command, context);
    return !result.ok && result.reason.code === 'readOnly';
  });
  expect(rejected.map(({ verb }) => verb)).toEqual(['start-earlier', 'start-later', 'solve-conflict']);
});
