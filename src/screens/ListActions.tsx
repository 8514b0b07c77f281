import { availability, targetCommands } from '#commands/run/availability.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { registry } from '#commands/nouns/all.ts';

import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';

/**
 * What a list is added to with; where people cannot add to it themselves (requests, sessions), what they do with its
 * rows.
 */
export function ListActions({ entity }: { readonly entity: AnyEntity }) {
  const context = useCommandContext();
  if (!context) return null;
  const create = registry.command(entity.filledBy ?? `${entity.name}.create`);
  const onRows = targetCommands(registry, entity.name, context).filter(({ on }) => on);
  const offered = create?.noun === entity.name ? [create] : [...(create ? [create] : []), ...onRows];
  const allowed = offered.filter((command) => availability(command, context).ok);
  if (allowed.length === 0) return null;
  return (
    <div className="flex min-h-filter flex-wrap items-center gap-1.5 py-1.5 pl-3">
      {allowed.map(({ id }) => (
        <CommandButton key={id} command={id} className="h-6" />
      ))}
    </div>
  );
}
