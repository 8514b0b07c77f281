import { registry } from '../all.ts';
import { cli } from './cli.ts';
import type { ExitCode, Io } from './io.ts';

export { terminal } from './terminal.ts';

/** `quarterdeck` with these words; resolves to the exit code of the process. */
export function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  return cli(argv, io, registry);
}
