import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { targetParam, commandLabels, type Command } from '#commands/model/command.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { targetCommands } from '#commands/run/availability.ts';
import type { Message } from '#commands/text/message.ts';
import { keyOf } from '#src/data/query-client.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { registry } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { TargetName } from '#src/run/TargetName.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';
import { Mono } from '#src/ui/Mono.tsx';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { Tabs, type Tab } from '#src/ui/Tabs.tsx';
import { tip } from '#src/ui/tip.ts';

import { LEVEL_MARKS } from './Cell.tsx';
import { DetailTabList } from './DetailTabList.tsx';
import { FilesTab } from './FilesTab.tsx';
import { TagLinks } from './ItemLink.tsx';
import { Overview } from './Overview.tsx';
import { OVERVIEW, detailTabsOf } from './tabs.ts';
import { isNotFound, useItem } from './use-item.ts';
import { ValuesTab } from './ValuesTab.tsx';

interface ItemPanelProps {
  readonly organization: string;
  readonly entity: AnyEntity;
  readonly id: string;
  readonly tab: string | undefined;
}

/** An item next to the table, with its details and tabs. Follows the active row. */
export function ItemPanel({ organization, entity, id, tab }: ItemPanelProps) {
  const translate = useTranslate();
  const t = useText();
  const query = useItem(organization, entity, id, true);
  const { data, error, refetch } = query;
  const noun = translate(entityLabels.one(entity));
  if (isNotFound(query))
    return (
      <Closable>
        <StateMessage title={t('panel.gone', { title: noun, id })}>{t('panel.goneHint')}</StateMessage>
      </Closable>
    );
  if (error && !data) {
    return (
      <Closable>
        <LoadError title={t('panel.itemFailed', { title: noun })} error={error} retry={() => void refetch()} />
      </Closable>
    );
  }
  if (data === undefined)
    return (
      <div className="p-4">
        <SkeletonRows count={8} label={t('panel.loading', { title: noun })} />
      </div>
    );
  return <Item organization={organization} entity={entity} item={data} tab={tab} />;
}

interface ItemProps extends Omit<ItemPanelProps, 'id'> {
  readonly item: unknown;
}

function Item({ organization, entity, item, tab }: ItemProps) {
  const translate = useTranslate();
  const t = useText();
  const level = entity.level?.(item);
  const mark = level && LEVEL_MARKS[level];
  const label = entity.label(item);
  const id = visibleId(entity, item);
  const detail = headerDetail(entity, item, id, translate);
  const tags = entity.columns.find((column) => column.kind === 'tags')?.tags?.(item) ?? [];
  const detailTabs = detailTabsOf(entity, contextNow().actor.abilities);
  const tabs: Tab<string>[] = [
    { id: OVERVIEW, label: t('panel.overview'), content: <Overview entity={entity} item={item} /> },
    ...detailTabs.map((detailTab) => {
      const title = translate(entityLabels.detailTab(entity, detailTab.id));
      const queryKey = keyOf(organization, entity.name, 'detailTabs', detailTab.id, entity.id(item));
      return {
        id: detailTab.id,
        label: title,
        content: detailTab.files ? (
          <FilesTab key={detailTab.id} organization={organization} title={title} tab={detailTab} item={item} />
        ) : detailTab.owner ? (
          <ValuesTab key={detailTab.id} organization={organization} title={title} tab={detailTab} item={item} />
        ) : (
          <DetailTabList key={detailTab.id} title={title} queryKey={queryKey} tab={detailTab} item={item} />
        ),
      };
    }),
  ];
  return (
    <article className="flex h-full min-h-0 flex-col" aria-label={label}>
      <header className="px-4 pt-3 pb-1">
        <div className="flex items-center gap-2 text-ink-3">
          {mark && <HealthMark level={mark} label={t(`shell.level.${mark}`)} />}
          {id && <Mono className="whitespace-nowrap">{id}</Mono>}
          {detail && <span className="min-w-0 truncate">{detail}</span>}
          <span className="flex-1" />
          <PanelKeys />
        </div>
        <h2 className="pt-0.5 text-title font-semibold break-words">{label}</h2>
        {tags.length > 0 && (
          <div className="pt-1.5">
            <TagLinks tags={tags} />
          </div>
        )}
        <div className="flex flex-wrap gap-1.5 pt-2 empty:hidden">
          <PanelActions entity={entity} item={item} />
        </div>
      </header>
      <Tabs
        tabs={tabs}
        value={tabs.find((entry) => entry.id === tab)?.id ?? OVERVIEW}
        onValue={(tabId) => void invoke({ id: 'view.show-tab', args: { tab: tabId } })}
        label={label}
        className="min-h-0 flex-1"
      />
    </article>
  );
}

/** Buttons for the previous item, the next item, and closing. Each shows its key, or an icon if it has none. */
function PanelKeys() {
  const translate = useTranslate();
  const t = useText();
  const keyHints = useKeyHints();
  const buttons = [
    { run: 'view.previous-item', key: 'view.previous-item', icon: <ChevronUp size={14} aria-hidden /> },
    { run: 'view.next-item', key: 'view.next-item', icon: <ChevronDown size={14} aria-hidden /> },
    { run: 'view.back', key: 'view.clear', label: t('panel.close'), icon: <X size={14} aria-hidden /> },
  ];
  return (
    <span className="flex">
      {buttons.map(({ run, key, label, icon }) => {
        const command = registry().command(run);
        const keys = keyHints(registry().command(key));
        const title = label ?? (command ? translate(commandLabels.title(command)) : run);
        return (
          <CommandButton
            key={run}
            command={run}
            tone="quiet"
            showKeys={false}
            {...tip(title, { keys })}
            className="h-6 min-w-6 px-0.5"
          >
            <span className="sr-only">{title}</span>
            {keys === undefined ? icon : <Kbd framed keys={keys.text} />}
          </CommandButton>
        );
      })}
    </span>
  );
}

/** Content in place of an item, with the panel's close button above it. */
function Closable({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex justify-end px-4 pt-3">
        <PanelKeys />
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}

/**
 * Returns the item's id, formatted like its `id` detail, if users know the item by it. Returns undefined if the id is
 * also the label, or an opaque string.
 */
function visibleId(entity: AnyEntity, item: unknown): string | undefined {
  const id = entity.id(item);
  if (!entity.isId(id) || id === entity.label(item)) return undefined;
  const idText = entity.details?.find((detail) => detail.id === 'id')?.value(item);
  return typeof idText === 'string' ? idText : id;
}

/** Returns the detail that pickers show next to a label, unless it repeats the visible id. */
function headerDetail(
  entity: AnyEntity,
  item: unknown,
  id: string | undefined,
  translate: (message: Message) => string,
): string | undefined {
  const detail = entity.detail?.(item);
  const text = typeof detail === 'object' ? translate(detail) : detail;
  return id !== undefined && text?.includes(id) ? undefined : text;
}

/**
 * Buttons for the entity's editor (or, if it has none, its commands with default keys) and for the palette with all
 * commands for the target. Like keyboard shortcuts, they act on the target, and show its name if that isn't the item in
 * the panel.
 */
function PanelActions({ entity, item }: { readonly entity: AnyEntity; readonly item: unknown }) {
  const t = useText();
  const context = useCommandContext();
  if (!context) return null;
  const { focus } = context;
  const edit = registry().command(`${entity.name}.edit`);
  const id = entity.id(item);
  const isElsewhere = focus?.active !== id;
  // The selection may belong to a different entity than the item in the panel.
  const isTarget = focus?.entity === entity.name;
  const isOffered = ({ on, appliesTo }: Command): boolean =>
    on !== undefined && ((isTarget && isElsewhere) || appliesTo?.(item) !== false);
  const actions = edit ? [edit] : targetCommands(registry(), entity.name, context).filter(isOffered);
  const target = isElsewhere && <TargetName className="text-ink-3" />;
  const args = (command: Command): Args => (isTarget ? {} : { [targetParam(command)?.name ?? '']: { ids: [id] } });
  return (
    <>
      {actions.map((action) => (
        <CommandButton
          key={action.id}
          command={action.id}
          args={args(action)}
          // The key acts on the target.
          showKeys={isTarget}
          suffix={isTarget && target}
        >
          {action === edit ? t('panel.edit') : undefined}
        </CommandButton>
      ))}
      <CommandButton command="app.actions" suffix={target}>
        {t('panel.actions')}
      </CommandButton>
    </>
  );
}
