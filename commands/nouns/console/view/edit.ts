import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';

/**
 * `e` on what has no edit form: says so, and lists the commands that change it. `editable` are the entities that have
 * one.
 */
export function editCommand(editable: readonly string[]): Command {
  return command({
    id: 'view.edit',
    effect: 'read',
    needs: ['palette'],
    keys: ['e'],
    onRows: true,
    notOn: editable,
    quiet: true,
    blocked: ({ focus }) =>
      focus?.target === undefined && focus?.active === undefined ? message('view:noRow') : undefined,
    run: async (context) => {
      need(context, 'palette').open({ actions: true });
      return { message: message('view:noEdit') };
    },
  });
}
