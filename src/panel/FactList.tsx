import { Pencil } from 'lucide-react';
import { useSyncExternalStore } from 'react';

import type { Fact } from '#commands/model/column.ts';
import { isUnset } from '#commands/model/overview.ts';

import { useText } from '#src/i18n/i18n.ts';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/IconButton.tsx';
import { Cell } from './Cell.tsx';
import { ItemLink, TagLinks } from './ItemLink.tsx';
import { EDIT_MARK, type FactEditing } from './use-fact-editing.tsx';

interface FactListProps {
  readonly facts: readonly Fact<unknown>[];
  readonly item: unknown;
  readonly title: (id: string) => string;
  /** Absent where facts are only read. */
  readonly editing?: FactEditing;
  readonly className?: string;
}

/** Labelled values; what has no value says so with a dash, so that a missing value is not taken for an oversight. */
export function FactList({ facts, item, title, editing, className }: FactListProps) {
  return (
    <dl className={cx('grid grid-cols-[minmax(120px,34%)_minmax(0,1fr)] gap-x-3 gap-y-0.5', className)}>
      {facts.map((fact) =>
        editing?.open === fact.id ? (
          <div key={fact.id} className="contents">
            <dt className="sr-only">{title(fact.id)}</dt>
            <dd className="col-span-2 min-w-0 py-1">{editing.fields(fact)}</dd>
          </div>
        ) : (
          <div key={fact.id} className="group/fact contents">
            <dt className="py-0.5 text-ink-3">{title(fact.id)}</dt>
            <dd className="flex min-w-0 items-start gap-1 py-0.5">
              <div className="min-w-0 flex-1">
                <FactValue fact={fact} item={item} />
              </div>
              {editing && <EditButton fact={fact} editing={editing} />}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Appears where the pointer or the focus is. */
function EditButton({ fact, editing }: { readonly fact: Fact<unknown>; readonly editing: FactEditing }) {
  const label = editing.label(fact);
  if (label === undefined) return null;
  return (
    <IconButton
      {...{ [EDIT_MARK]: fact.id }}
      label={label}
      icon={<Pencil size={12} aria-hidden />}
      onClick={() => editing.start(fact)}
      className="-my-0.5 opacity-0 group-hover/fact:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
    />
  );
}

function FactValue({ fact, item }: { readonly fact: Fact<unknown>; readonly item: unknown }) {
  const text = useText();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const tags = fact.tags?.(item);
  const links = fact.links?.(item);
  const level = fact.level?.(item, now);
  if (isUnset(fact, item)) {
    return (
      <span className="text-ink-3" aria-label={text('panel.none')}>
        –
      </span>
    );
  }
  if (tags?.length) return <TagLinks tags={tags} />;
  if (links?.length) {
    return (
      <span className="flex flex-wrap gap-x-2">
        {links.map((link) => (
          <ItemLink key={link.id} item={link} className={fact.kind === 'mono' ? 'type-mono break-all' : 'break-words'}>
            {link.name}
          </ItemLink>
        ))}
      </span>
    );
  }
  return <Cell kind={fact.kind} value={fact.value(item)} {...(level ? { level } : {})} at={fact.at?.(item)} />;
}
