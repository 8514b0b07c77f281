import { useAtomValue } from 'jotai';

import type { AnyEntity } from '#commands/model/entity.ts';
import { targetCommands } from '#commands/run/availability.ts';
import { useText } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { focusAtom } from '#src/state/focus.ts';

/** The selection, with its commands and their keys, from the registry. */
export function SelectionBar({ entity }: { readonly entity: AnyEntity }) {
  const text = useText();
  const focus = useAtomValue(focusAtom);
  const context = useCommandContext();
  if (!focus?.target || focus.count === undefined || !context) return null;
  const all = 'query' in focus.target;
  return (
    <div
      role="toolbar"
      aria-label={text('selection.label')}
      className="flex h-filter shrink-0 items-center gap-3 border-t border-line bg-surface-2 px-3"
    >
      <span role="status" className="whitespace-nowrap tabular-nums">
        {text(all ? 'selection.all' : 'selection.some', { count: focus.count })}
      </span>
      {/* Commands that do not fit are also in the list that Actions opens. */}
      <div className="flex h-6 min-w-0 flex-1 flex-wrap gap-1.5 overflow-hidden [&>:focus-visible]:-outline-offset-2">
        {targetCommands(directory(), entity.name, context).map(({ id }) => (
          <CommandButton key={id} command={id} className="h-6" />
        ))}
      </div>
      <CommandButton command="view.clear-selection" tone="quiet" className="h-6" />
    </div>
  );
}
