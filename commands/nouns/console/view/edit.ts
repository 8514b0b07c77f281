import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { RegistrySummary } from '#commands/registry/summary.ts';
import { message } from '#commands/text/message.ts';

/** Handles `e` on an item without an edit form by listing the commands that change the item. */
export function editCommand({ editableEntities }: RegistrySummary): Command {
  return command({
    id: 'view.edit',
    effect: 'read',
    needs: ['palette'],
    keys: ['e'],
    onRows: true,
    notOn: editableEntities,
    unlisted: true,
    blockedReason: ({ focus }) =>
      focus?.target === undefined && focus?.active === undefined ? message('view:noRow') : undefined,
    run: async (context) => {
      requireCapability(context, 'palette').open({ actions: true });
      return { message: message('view:noEdit') };
    },
  });
}
