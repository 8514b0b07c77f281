import type { ArgValue } from '#commands/model/arg-value.ts';
import { targetParam, commandLabels, type Command, type CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { isSelection, type Target } from '#commands/model/target.ts';
import type { Message } from '#commands/text/message.ts';

/** A placeholder for an unknown count, which selects the plural form of a title. */
export const SEVERAL = 2;

/**
 * Returns a command's title for its target, such as `Edit devices` for a selection of five. The title is `Edit device`
 * for one item or without a target.
 */
export function titleFor(command: CommandMetadata, args: Args, context: Context): Message {
  return commandLabels.title(command, itemCount(command, args, context));
}

function itemCount(
  command: CommandMetadata & Partial<Pick<Command, 'positional'>>,
  args: Args,
  { focus }: Context,
): number {
  const target = targetParam(command);
  if (!target) return listCount(args[command.positional?.[0] ?? '']);
  const matchingFocus = focus?.entity === target.entity.name ? focus : undefined;
  const selectedCount = matchingFocus?.target ? (matchingFocus.count ?? SEVERAL) : 1;
  const value = args[target.name] as Target | undefined;
  if (value === undefined || isSelection(value)) return selectedCount;
  if ('ids' in value) return value.ids.length;
  return JSON.stringify(value) === JSON.stringify(matchingFocus?.target) ? selectedCount : SEVERAL;
}

/** Counts the entries of a list argument, such as names to create. An empty list counts as one. */
function listCount(value: ArgValue | undefined): number {
  return Array.isArray(value) ? Math.max(value.length, 1) : 1;
}
