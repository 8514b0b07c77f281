import { useSyncExternalStore } from 'react';

import type { Fact } from '#commands/core/entity';
import { isUnset } from '#commands/core/fact-groups';

import { useText } from '../i18n.ts';
import { clockNow, subscribeClock } from '../ui/clock.ts';
import { cx } from '../ui/cx.ts';
import { Cell } from './Cell.tsx';
import { ItemLink, TagLinks } from './ItemLink.tsx';

interface FactListProps {
  readonly facts: readonly Fact<unknown>[];
  readonly item: unknown;
  readonly title: (id: string) => string;
  readonly className?: string;
}

/** Labelled values; what has no value says so with a dash, so that a missing value is not taken for an oversight. */
export function FactList({ facts, item, title, className }: FactListProps) {
  const text = useText();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  return (
    <dl className={cx('grid grid-cols-[minmax(120px,34%)_minmax(0,1fr)] gap-x-3 gap-y-0.5', className)}>
      {facts.map((fact) => {
        const value = fact.value(item);
        const tags = fact.tags?.(item);
        const links = fact.links?.(item);
        const at = fact.at?.(item);
        const level = fact.level?.(item, now);
        const empty = isUnset(fact, item);
        return (
          <div key={fact.id} className="contents">
            <dt className="py-0.5 text-ink-3">{title(fact.id)}</dt>
            <dd className="min-w-0 py-0.5">
              {empty ? (
                <span className="text-ink-3" aria-label={text('panel.none')}>
                  –
                </span>
              ) : tags?.length ? (
                <TagLinks tags={tags} />
              ) : links?.length ? (
                <span className="flex flex-wrap gap-x-2">
                  {links.map((link) => (
                    <ItemLink
                      key={link.id}
                      item={link}
                      className={fact.kind === 'mono' ? 'type-mono break-all' : 'break-words'}
                    >
                      {link.name}
                    </ItemLink>
                  ))}
                </span>
              ) : (
                <Cell kind={fact.kind} value={value} {...(level ? { level } : {})} at={at} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
