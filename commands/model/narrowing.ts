import type { Args } from './invocation.ts';
import type { Message } from '#commands/text/message.ts';
import type { PlainParam } from './plain-param.ts';

/** Something that a list of an item's panel can be narrowed down by. */
export interface Narrowing {
  readonly label: Message;
  readonly param: PlainParam;
}

/** Which part of a list is asked for. */
export interface Part {
  /** Zero-based. */
  readonly page: number;
  /** Values of what narrows it down, by name; only what was given. */
  readonly narrow: Args;
}

export const WHOLE: Part = { page: 0, narrow: {} };
