import { useAtomValue } from 'jotai';
import { X } from 'lucide-react';

import { commandLabels } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { targetCommands } from '#commands/run/availability.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { focusAtom } from '#src/state/focus.ts';
import { tip } from '#src/ui/tip.ts';

const ACTIONS = 'app.actions';
const CLEAR = 'view.clear-selection';

/** The selection, with its commands and their keys, from the registry. */
export function SelectionBar({ entity }: { readonly entity: AnyEntity }) {
  const translate = useTranslate();
  const t = useText();
  const focus = useAtomValue(focusAtom);
  const context = useCommandContext();
  if (!focus?.target || focus.count === undefined || !context) return null;
  const selectsAll = 'query' in focus.target;
  const commands = targetCommands(directory(), entity.name, context).filter(({ id }) => id !== ACTIONS);
  const clear = directory().command(CLEAR);
  const clearTitle = clear && translate(commandLabels.title(clear));
  return (
    <div
      role="toolbar"
      aria-label={t('selection.label')}
      className="@container flex h-filter shrink-0 items-center gap-3 border-t border-line bg-surface-2 px-3"
    >
      <span role="status" className="whitespace-nowrap tabular-nums">
        {t(selectsAll ? 'selection.all' : 'selection.some', { count: focus.count })}
      </span>
      {/* Commands that do not fit wrap out of sight. They are also in the list that Actions opens. */}
      <div className="flex h-6 min-w-0 flex-1 flex-wrap gap-1.5 overflow-hidden before:h-6 [&>:focus-visible]:-outline-offset-2">
        {commands.map(({ id }) => (
          <CommandButton key={id} command={id} className="h-6 max-w-full overflow-hidden" />
        ))}
      </div>
      <CommandButton command={ACTIONS} className="h-6">
        {t('panel.actions')}
      </CommandButton>
      <CommandButton command={CLEAR} tone="quiet" className="h-6" {...tip(clearTitle)}>
        <X size={13} aria-hidden className="@sm:hidden" />
        <span className="@max-sm:sr-only">{clearTitle}</span>
      </CommandButton>
    </div>
  );
}
