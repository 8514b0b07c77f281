import type { AnyEntity } from '#commands/model/entity.ts';
import { availability, targetCommands } from '#commands/run/availability.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';

/**
 * Shows the commands that add items to a list. If there is no such command, or it belongs to another noun (such as
 * requests or sessions), shows the row commands too.
 */
export function ListActions({ entity }: { readonly entity: AnyEntity }) {
  const context = useCommandContext();
  if (!context) return null;
  const create = directory().command(entity.addCommand ?? `${entity.name}.create`);
  const rowCommands = targetCommands(directory(), entity.name, context).filter(({ on }) => on);
  const others = (entity.otherAddCommands ?? []).flatMap((id) => directory().command(id) ?? []);
  const candidates =
    create?.noun === entity.name ? [create, ...others] : [...(create ? [create] : []), ...others, ...rowCommands];
  const availableCommands = candidates.filter((command) => availability(command, context).ok);
  if (availableCommands.length === 0) return null;
  return (
    <div className="flex min-h-filter flex-wrap items-center gap-1.5 py-1.5 pl-3">
      {availableCommands.map(({ id }) => (
        <CommandButton key={id} command={id} className="h-6" />
      ))}
    </div>
  );
}
