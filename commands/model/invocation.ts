import type { ArgValue } from './arg-value.ts';

export type Args = Readonly<Record<string, ArgValue | undefined>>;

/**
 * A command with its arguments, as a plain value that also has a text form (`commands/line/line.ts`). History, undo,
 * macros, links, and audits store invocations, never closures.
 */
export interface Invocation {
  readonly id: string;
  readonly args: Args;
}
