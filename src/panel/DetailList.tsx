import { Pencil } from 'lucide-react';
import { useSyncExternalStore } from 'react';

import type { DetailField } from '#commands/model/column.ts';
import { isUnset } from '#commands/model/overview.ts';
import { useText } from '#src/i18n/i18n.ts';
import { CommandLink } from '#src/run/CommandLink.tsx';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/IconButton.tsx';

import { Cell } from './Cell.tsx';
import { ItemLinks, TagLinks } from './ItemLink.tsx';
import { EDIT_BUTTON_ATTRIBUTE, type DetailEditing } from './use-detail-editing.tsx';

interface DetailListProps {
  readonly details: readonly DetailField<unknown>[];
  readonly item: unknown;
  readonly title: (id: string) => string;
  /** Absent if details are read-only. */
  readonly editing?: DetailEditing;
  readonly className?: string;
}

/** A list of labeled values. Unset values show a dash. */
export function DetailList({ details, item, title, editing: detailEditing, className }: DetailListProps) {
  return (
    <dl className={cx('grid grid-cols-[minmax(120px,34%)_minmax(0,1fr)] gap-x-3 gap-y-0.5', className)}>
      {details.map((detail) =>
        detailEditing?.openDetail === detail.id ? (
          <div key={detail.id} className="contents">
            <dt className="sr-only">{title(detail.id)}</dt>
            <dd className="col-span-2 min-w-0 py-1">{detailEditing.fields(detail)}</dd>
          </div>
        ) : (
          <div key={detail.id} className="group/detail contents">
            <dt className="py-0.5 text-ink-3">{title(detail.id)}</dt>
            <dd className="flex min-w-0 items-start gap-1 py-0.5">
              <div className="min-w-0 flex-1">
                <DetailValue detail={detail} item={item} />
              </div>
              {detailEditing && <EditButton detail={detail} detailEditing={detailEditing} />}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The edit button of a detail, visible on hover and focus. */
function EditButton({
  detail,
  detailEditing,
}: {
  readonly detail: DetailField<unknown>;
  readonly detailEditing: DetailEditing;
}) {
  const label = detailEditing.label(detail);
  if (label === undefined) return null;
  return (
    <IconButton
      {...{ [EDIT_BUTTON_ATTRIBUTE]: detail.id }}
      label={label}
      icon={<Pencil size={12} aria-hidden />}
      onClick={() => detailEditing.start(detail)}
      className="-my-[3px] opacity-0 group-hover/detail:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
    />
  );
}

function DetailValue({ detail, item }: { readonly detail: DetailField<unknown>; readonly item: unknown }) {
  const t = useText();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const tags = detail.tags?.(item);
  const links = detail.links?.(item);
  const opens = detail.opens?.(item);
  const level = detail.level?.(item, now);
  if (isUnset(detail, item)) {
    return (
      <span className="text-ink-3" aria-label={t('panel.none')}>
        –
      </span>
    );
  }
  if (tags?.length) return <TagLinks tags={tags} />;
  if (links?.length) {
    return <ItemLinks links={links} className={detail.kind === 'mono' ? 'type-mono break-all' : 'break-words'} />;
  }
  if (opens?.length) {
    return (
      <span className="flex flex-col items-start">
        {opens.map(({ name, invocation }) => (
          <CommandLink key={name} invocation={invocation} className="break-words">
            {name}
          </CommandLink>
        ))}
      </span>
    );
  }
  return (
    <Cell kind={detail.kind} value={detail.value(item)} {...(level ? { level } : {})} time={detail.time?.(item)} />
  );
}
