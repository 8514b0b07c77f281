import { beforeEach } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { Execution } from '../execute.ts';
import type { Globals } from '../options.ts';
import { Printer } from '../printer.ts';
import { testIo } from './io.ts';
import { gadgetRegistry, sayKey, testSession } from './plain.ts';

let ran = 0;

/** How many times commands of {@link made} ran in this test. */
export const timesRan = (): number => ran;

/** Counts anew in each test of a file. */
export function countRuns(): void {
  beforeEach(() => void (ran = 0));
}

type Given = Parameters<typeof testIo>[0];

/** Runs a command as a line of the terminal would. */
export async function execute(
  command: Command,
  args: Args = {},
  globals: Globals = {},
  given: Given = {},
  session = testSession(),
) {
  const io = testIo(given);
  const execution = new Execution(gadgetRegistry, globals, io, new Printer(io, gadgetRegistry, sayKey), session);
  const code = await execution.of(command, args);
  return { code, out: io.stdout(), err: io.stderr(), asked: io.asked, statuses: io.statuses };
}

const count = async () => {
  ran++;
  return {};
};

/** A command of gadgets that counts its runs. */
export const made = (spec: object = {}): Command =>
  command({ id: 'gadget.try', effect: 'write', plan: simplePlan, run: count, ...spec });
