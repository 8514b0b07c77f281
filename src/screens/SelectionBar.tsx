import { useAtomValue } from 'jotai';

import { targetCommands } from '#commands/run/availability.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { registry } from '#commands/nouns/all.ts';

import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { useText } from '#src/i18n/i18n.ts';
import { focusAtom } from '#src/state/focus.ts';

/** What is selected and what can be done with it, each with its key: the commands that the registry has for it. */
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
      {/* What does not fit is in the list that Actions opens. */}
      <div className="flex h-6 min-w-0 flex-1 flex-wrap gap-1.5 overflow-hidden [&>:focus-visible]:-outline-offset-2">
        {targetCommands(registry, entity.name, context).map(({ id }) => (
          <CommandButton key={id} command={id} className="h-6" />
        ))}
      </div>
      <CommandButton command="view.clear-selection" tone="quiet" className="h-6" />
    </div>
  );
}
