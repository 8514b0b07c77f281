import type { Message } from '#commands/text/message.ts';

import type { Args } from './invocation.ts';
import type { PlainParam } from './plain-param.ts';

/** A way to narrow a list in an item's panel. */
export interface Narrowing {
  readonly label: Message;
  readonly param: PlainParam;
}

/** The part of a list to load. */
export interface Part {
  /** Zero-based. */
  readonly page: number;
  /** Values of the narrowings, by name; a narrowing without a value is absent. */
  readonly narrowing: Args;
}

export const WHOLE: Part = { page: 0, narrowing: {} };
