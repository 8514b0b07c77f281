import { beforeEach } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';

import { Execution } from '../execute.ts';
import type { Globals } from '../options.ts';
import { Printer } from '../printer.ts';
import { testIo } from './io.ts';
import { gadgetRegistry, translateKey, testSession } from './plain.ts';

let runs = 0;

/** Returns how many times commands from {@link createCountingCommand} have run in this test. */
export const runCount = (): number => runs;

/** Resets the count before each test in the calling file. */
export function resetRunCountBeforeEach(): void {
  beforeEach(() => void (runs = 0));
}

type IoOptions = Parameters<typeof testIo>[0];

/** Runs a command as if it were typed in a terminal. */
export async function execute(
  command: Command,
  args: Args = {},
  globals: Globals = {},
  ioOptions: IoOptions = {},
  session = testSession(),
) {
  const io = testIo(ioOptions);
  const execution = new Execution(gadgetRegistry, globals, io, new Printer(io, gadgetRegistry, translateKey), session);
  const code = await execution.run(command, args);
  return { code, out: io.stdout(), err: io.stderr(), prompts: io.prompts, statuses: io.statuses };
}

const countRun = async () => {
  runs++;
  return {};
};

/** Creates a gadget command that counts its runs. */
export const createCountingCommand = (spec: object = {}): Command =>
  command({ id: 'gadget.try', effect: 'write', plan: simplePlan, run: countRun, ...spec });
