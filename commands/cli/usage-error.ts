import { CommandError } from '#commands/model/errors.ts';

/** An invalid line, or an invalid answer to a prompt: no command ran. */
export class UsageError extends CommandError {}
