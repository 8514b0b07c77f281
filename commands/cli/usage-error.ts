import { CommandError } from '#commands/model/errors.ts';

/** Thrown for an invalid line or an invalid answer to a prompt. No command has run. */
export class UsageError extends CommandError {}
