import { ChevronDown, ChevronUp, Maximize2, Minimize2, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { targetParam, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { targetCommands } from '#commands/run/availability.ts';
import type { Message } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { KeyButton } from '#src/run/KeyButton.tsx';
import { TargetName } from '#src/run/TargetName.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';
import { Mono } from '#src/ui/Mono.tsx';

import { LEVEL_MARKS } from './Cell.tsx';
import { TagLinks } from './ItemLink.tsx';

interface ItemHeaderProps {
  readonly entity: AnyEntity;
  readonly item: unknown;
  readonly isFull: boolean;
}

/** The head of an item: its health, id, name, tags, and actions. */
export function ItemHeader({ entity, item, isFull }: ItemHeaderProps) {
  const translate = useTranslate();
  const t = useText();
  const level = entity.level?.(item);
  const mark = level && LEVEL_MARKS[level];
  const id = visibleId(entity, item);
  const detail = headerDetail(entity, item, id, translate);
  const tags = entity.columns.find((column) => column.kind === 'tags')?.tags?.(item) ?? [];
  return (
    <header className="px-4 pt-3 pb-1">
      <div className="flex items-center gap-2 text-ink-3">
        {mark && <HealthMark level={mark} label={t(`shell.level.${mark}`)} />}
        {/* A detail that does not fit next to a long id gets its own line. */}
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-2">
          {id && <Mono className="max-w-full truncate">{id}</Mono>}
          {detail && <span className="max-w-full truncate">{detail}</span>}
        </span>
        <PanelKeys isFull={isFull} />
      </div>
      <h2 className="pt-0.5 text-title font-semibold break-words">{entity.label(item)}</h2>
      {tags.length > 0 && (
        <div className="pt-1.5">
          <TagLinks tags={tags} />
        </div>
      )}
      <PanelActions entity={entity} item={item} />
    </header>
  );
}

/** Buttons for the previous item, the next item, full screen, and closing. */
export function PanelKeys({ isFull }: { readonly isFull: boolean }) {
  const t = useText();
  return (
    <span className="flex">
      <KeyButton command="view.previous-item" icon={<ChevronUp size={14} aria-hidden />} />
      <KeyButton command="view.next-item" icon={<ChevronDown size={14} aria-hidden />} />
      <KeyButton
        command="view.full-screen"
        label={t(isFull ? 'panel.leaveFull' : 'panel.full')}
        icon={isFull ? <Minimize2 size={13} aria-hidden /> : <Maximize2 size={13} aria-hidden />}
      />
      <KeyButton
        command="view.back"
        keysOf="view.clear"
        label={t(isFull ? 'panel.back' : 'panel.close')}
        icon={<X size={14} aria-hidden />}
      />
    </span>
  );
}

/** Content in place of an item, with the panel's close button above it. */
export function Closable({ isFull, children }: { readonly isFull: boolean; readonly children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex justify-end px-4 pt-3">
        <PanelKeys isFull={isFull} />
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
  const target = isElsewhere && <TargetName className="min-w-0 truncate text-ink-3" />;
  const args = (command: Command): Args => (isTarget ? {} : { [targetParam(command)?.name ?? '']: { ids: [id] } });
  return (
    // The name appears and disappears while an item loads, which must not add a line and move the rest of the panel.
    <div className={cx('flex gap-1.5 pt-2 empty:hidden', !edit && 'flex-wrap')}>
      {actions.map((action) => (
        <CommandButton
          key={action.id}
          command={action.id}
          args={args(action)}
          // The key acts on the target.
          showKeys={isTarget}
          suffix={isTarget && target}
          className="min-w-0"
        >
          {action === edit ? t('panel.edit') : undefined}
        </CommandButton>
      ))}
      <CommandButton command="app.actions" suffix={target} className="min-w-0">
        {t('panel.actions')}
      </CommandButton>
    </div>
  );
}
