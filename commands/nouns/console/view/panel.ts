import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { listNearest } from '#commands/text/near.ts';

/** Opens the active row in the panel or, if the panel already shows it, full screen. */
export const open = command({
  id: 'view.open',
  effect: 'navigate',
  needs: ['table', 'panel'],
  keys: ['Enter'],
  onRows: true,
  unlisted: true,
  blockedReason: ({ host }) => (host.table?.activeRowId() === undefined ? message('view:noRow') : undefined),
  run: async (context) => {
    const table = requireCapability(context, 'table');
    const panel = requireCapability(context, 'panel');
    const row = table.activeRowId();
    if (row === undefined) return {};
    if (panel.shows(table.entityName(), row)) panel.setFullScreen(true);
    else panel.open(table.entityName(), row);
    return {};
  },
});

/** Shows the panel's item full screen, or next to the list again. */
export const fullScreen = command({
  id: 'view.full-screen',
  effect: 'navigate',
  needs: ['panel'],
  blockedReason: ({ host }) => (host.panel?.isItemOpen() ? undefined : message('view:noItem')),
  run: async (context) => {
    const panel = requireCapability(context, 'panel');
    panel.setFullScreen(!panel.isFullScreen());
    return {};
  },
});

/** Closes the topmost layer of the panel. */
export const back = command({
  id: 'view.back',
  effect: 'navigate',
  needs: ['panel'],
  keys: ['Backspace'],
  unlisted: true,
  run: async (context) => {
    requireCapability(context, 'panel').back();
    return {};
  },
});

/** Closes the topmost layer of the panel, or clears the selection if the panel is closed. */
export const clear = command({
  id: 'view.clear',
  effect: 'navigate',
  needs: ['table', 'panel'],
  keys: ['Escape'],
  unlisted: true,
  run: async (context) => {
    if (!requireCapability(context, 'panel').back()) requireCapability(context, 'table').clearSelection();
    return {};
  },
});

/** Clears the selection, even if the panel is open. */
export const clearSelection = command({
  id: 'view.clear-selection',
  effect: 'navigate',
  needs: ['table'],
  blockedReason: ({ focus }) => (focus?.target === undefined ? message('view:noSelection') : undefined),
  run: async (context) => {
    requireCapability(context, 'table').clearSelection();
    return {};
  },
});

function tabCommand(verb: string, key: string, step: 1 | -1) {
  return command({
    id: `view.${verb}`,
    effect: 'navigate',
    needs: ['panel'],
    keys: [key],
    unlisted: true,
    run: async (context) => {
      requireCapability(context, 'panel').tab(step);
      return {};
    },
  });
}

/** Moves to the panel's next tab. */
export const nextTab = tabCommand('next-tab', '}', 1);
/** Moves to the panel's previous tab. */
export const previousTab = tabCommand('previous-tab', '{', -1);

/** Handles a click on a tab of the panel. */
export const showTab = command({
  id: 'view.show-tab',
  effect: 'navigate',
  needs: ['panel'],
  unlisted: true,
  params: {
    tab: required(
      p.text({
        closed: true,
        suggest: async (context) =>
          requireCapability(context, 'panel')
            .tabs()
            .map(({ id, title }) => ({ value: id, label: id, message: title })),
      }),
    ),
  },
  positional: ['tab'],
  blockedReason: ({ host }) => (host.panel?.tabs().length ? undefined : message('view:noTabs')),
  run: async (context, { tab }) => {
    const panel = requireCapability(context, 'panel');
    const ids = panel.tabs().map(({ id }) => id);
    if (!ids.includes(tab))
      throw new CommandError(message('view:unknownTab', { tab, tabs: listNearest(tab, ids) }), 'tab');
    panel.showTab(tab);
    return {};
  },
});

export const nextItem = command({
  id: 'view.next-item',
  effect: 'navigate',
  needs: ['panel'],
  keys: [']'],
  repeats: true,
  unlisted: true,
  run: async (context) => {
    await requireCapability(context, 'panel').step(1);
    return {};
  },
});

export const previousItem = command({
  id: 'view.previous-item',
  effect: 'navigate',
  needs: ['panel'],
  keys: ['['],
  repeats: true,
  unlisted: true,
  run: async (context) => {
    await requireCapability(context, 'panel').step(-1);
    return {};
  },
});
