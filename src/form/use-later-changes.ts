import { useRef } from 'react';

import { printValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { FormDraft, ItemOwner } from './draft.ts';
import { loadDraft } from './use-initial.ts';

type Shown = Pick<FormDraft, 'initial' | 'various' | 'owners'>;

/**
 * Returns a check that loads the current values again and throws if one that the form is about to replace is no longer
 * the one that it showed, so nobody's change is lost unseen. It also throws if an item has moved to another
 * organization, which would be changed there. The next check accepts what this one reported.
 */
export function useLaterChanges(command: Command, context: Context, draft: FormDraft): (args: Args) => Promise<void> {
  const shown = useRef<Shown>(draft);
  return async (args) => {
    const target = targetParam(command)?.name;
    // A filter can match the whole fleet, so its items aren't loaded again.
    if (!command.initial || (target !== undefined && !hasIds(args[target]))) return;
    const current = await loadDraft(command, args, context);
    const name = Object.keys(args).find(
      (param) =>
        param !== target && !isEqual(valueOf(current, param), args[param]) && isChanged(shown.current, current, param),
    );
    const moved = movedItems(shown.current, current);
    shown.current = current;
    if (moved[0]) throw new CommandError(movedMessage(moved[0], moved.length), target);
    if (name !== undefined) throw new CommandError(problemOf(command.params[name]!, valueOf(current, name)), name);
  };
}

const hasIds = (target: ArgValue | undefined): boolean => typeof target === 'object' && 'ids' in target;

const valueOf = ({ initial }: Shown, name: string): ArgValue | undefined => initial[name]?.value;

const isEqual = (a: ArgValue | undefined, b: ArgValue | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

const isChanged = (before: Shown, now: Shown, name: string): boolean =>
  !isEqual(valueOf(before, name), valueOf(now, name)) || before.various.includes(name) !== now.various.includes(name);

/** Returns the items that belong to another organization than before. */
function movedItems(before: Shown, { owners = [] }: Shown): readonly ItemOwner[] {
  const ids = new Map(before.owners?.map(({ item, id }) => [item, id]));
  return owners.filter(({ item, id }) => ids.has(item) && ids.get(item) !== id);
}

const movedMessage = ({ label, name }: ItemOwner, count: number): Message =>
  message('console:form.movedLater', { count, name: label, organization: name });

function problemOf(param: Param, value: ArgValue | undefined): Message {
  if (value === undefined || value === '') return message('console:form.clearedLater');
  const label = 'label' in param && typeof value === 'string' ? param.label?.(value) : undefined;
  return message('console:form.changedLater', { value: label ?? printValue(param, value) });
}
