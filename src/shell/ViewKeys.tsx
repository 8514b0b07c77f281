import { commandLabels } from '#commands/model/command.ts';
import { availability } from '#commands/run/availability.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

/** The capabilities of views that have keys of their own. The one that is on top comes first. */
const VIEWS = ['chart', 'timeline'] as const;

/** The keys of the chart or the timeline on the screen, as many as fit on one line. */
export function ViewKeys() {
  const t = useText();
  const translate = useTranslate();
  const keyHints = useKeyHints();
  const context = useCommandContext();
  const view = context && VIEWS.find((capability) => context.host[capability] !== undefined);
  if (!view) return null;
  const hints = directory().commands.flatMap((command) => {
    const keys = keyHints(command);
    const ownLabel = command.keyLabel?.(context);
    const label = ownLabel === null ? '' : translate(ownLabel ?? commandLabels.title(command));
    const isUsable = command.needs?.includes(view) && availability(command, context).ok;
    return keys && isUsable && label !== '' ? [{ id: command.id, keys, label }] : [];
  });
  return (
    // The hints that do not fit wrap into lines that are not visible.
    <ul aria-label={t('shell.viewKeys')} className="flex h-status flex-wrap gap-x-3 overflow-hidden">
      {hints.map(({ id, keys, label }) => (
        <li key={id} className="flex h-status items-center gap-1.5 whitespace-nowrap">
          <Kbd spoken keys={keys.text} /> {label}
        </li>
      ))}
    </ul>
  );
}
