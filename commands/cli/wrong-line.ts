import { CommandError } from '#commands/model/errors.ts';

/** A line that cannot be right, or an answer that stands for a part of one: nothing was tried. */
export class WrongLine extends CommandError {}
