import { commandLabels } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { availability, targetCommands } from '#commands/run/availability.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { tip } from '#src/ui/tip.ts';

const DOWNLOAD = 'view.download';

/**
 * Shows the commands that add items to a list or change many of them, and the one that downloads it. If there is no
 * command that adds items, or it belongs to another noun (such as requests or sessions), shows the row commands too.
 */
export function ListActions({ entity }: { readonly entity: AnyEntity }) {
  const context = useCommandContext();
  const translate = useTranslate();
  const t = useText();
  if (!context) return null;
  const create = directory().command(entity.addCommand ?? `${entity.name}.create`);
  const rowCommands = targetCommands(directory(), entity.name, context).filter(({ on }) => on);
  const otherIds = [...(entity.otherAddCommands ?? []), ...(entity.changeCommands ?? [])];
  const others = otherIds.flatMap((id) => directory().command(id) ?? []);
  const candidates =
    create?.noun === entity.name ? [create, ...others] : [...(create ? [create] : []), ...others, ...rowCommands];
  const availableCommands = candidates.filter((command) => availability(command, context).ok);
  const download = directory().command(DOWNLOAD);
  const downloadTitle =
    download && availability(download, context).ok ? translate(commandLabels.title(download)) : undefined;
  if (availableCommands.length === 0 && !downloadTitle) return null;
  return (
    <div className="flex min-h-filter flex-wrap items-center gap-1.5 py-1.5 pl-3">
      {availableCommands.map(({ id }) => (
        <CommandButton key={id} command={id} className="h-6" />
      ))}
      {downloadTitle && (
        <CommandButton
          command={DOWNLOAD}
          tone="quiet"
          className="h-6"
          aria-label={downloadTitle}
          {...tip(downloadTitle)}
        >
          {t('list.csv')}
        </CommandButton>
      )}
    </div>
  );
}
