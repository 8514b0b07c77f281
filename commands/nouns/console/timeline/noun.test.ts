import { expect, test } from 'vitest';

import type { Command } from '#commands/model/command.ts';

import { noun } from './noun.ts';

test.each(['timeline.start-earlier', 'timeline.start-later'])('%s requires the permission to assign', (id) => {
  const commands = noun.commands as readonly Command[];
  expect(commands.find((command) => command.id === id)?.requires).toEqual(['ASSIGNMENTS']);
});
