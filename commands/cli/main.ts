import { registry } from '#commands/nouns/all.ts';

import { cli } from './cli.ts';
import type { ExitCode, Io } from './io.ts';
import { createTerminal } from './terminal.ts';

/** Runs `quarterdeck` with the given arguments in the current terminal. Resolves to the exit code of the process. */
export function main(argv: readonly string[], io: Io = createTerminal()): Promise<ExitCode> {
  return cli(argv, io, registry);
}
