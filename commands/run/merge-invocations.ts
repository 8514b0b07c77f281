import type { Args, Invocation } from '#commands/model/invocation.ts';
import { groupBy } from '#commands/text/group-by.ts';

/** Merges invocations that do the same to different items, so undo looks up and plans their items together. */
export function mergeInvocations(invocations: readonly Invocation[]): readonly Invocation[] {
  const groups = groupBy(invocations, ({ id, args }) => JSON.stringify([id, splitTarget(args).others]));
  return [...groups.values()].flatMap((group) => {
    const [{ id, args }] = group as [Invocation];
    const { name, others } = splitTarget(args);
    if (name === undefined) return group;
    return [{ id, args: { ...others, [name]: { ids: group.flatMap((part) => splitTarget(part.args).ids) } } }];
  });
}

/** Splits arguments into the ids of the target and the others. */
function splitTarget(args: Args) {
  const entry = Object.entries(args).find(([, value]) => typeof value === 'object' && 'ids' in value);
  if (!entry) return { name: undefined, ids: [], others: args };
  const [name, { ids }] = entry as unknown as [string, { readonly ids: readonly string[] }];
  return { name, ids, others: { ...args, [name]: undefined } };
}
