import { useAtom } from 'jotai';
import { useId, useRef, useSyncExternalStore } from 'react';

import { groupTitle } from '#commands/model/detail-groups.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { createOverview } from '#commands/model/overview.ts';
import { itemName } from '#commands/run/focus.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { showUnsetAtom } from '#src/state/unset.ts';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { cx } from '#src/ui/cx.ts';
import { Fold } from '#src/ui/Fold.tsx';

import { DetailList } from './DetailList.tsx';
import { useDetailEditing } from './use-detail-editing.tsx';

interface OverviewProps {
  readonly entity: AnyEntity;
  readonly item: unknown;
  /** True if the item fills the screen, which has room for several columns. */
  readonly isFull?: boolean;
}

/** An item's details: warnings and errors first, then the others by group. Unset details come last, in a fold. */
export function Overview({ entity, item, isFull = false }: OverviewProps) {
  const translate = useTranslate();
  const t = useText();
  const id = useId();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const [isUnsetOpen, setUnsetOpen] = useAtom(showUnsetAtom);
  const { groups, unsetDetails } = createOverview(entity.details ?? [], item, now);
  const title = (detail: string): string => translate(entityLabels.detail(entity, detail));
  const root = useRef<HTMLDivElement>(null);
  const detailEditing = useDetailEditing(
    { entity: entity.name, id: entity.id(item), name: itemName(entity, item) },
    title,
    root,
  );
  return (
    <div
      ref={root}
      className={cx(
        'divide-y divide-line',
        isFull && '@min-[38rem]/overview:columns-2 @min-[38rem]/overview:gap-0 @min-[38rem]/overview:divide-y-0',
      )}
    >
      {groups.map(({ group, details }) => (
        <section key={group} aria-labelledby={`${id}${group}`} className="break-inside-avoid px-4 py-2.5">
          <h3 id={`${id}${group}`} className={group === 'state' ? 'sr-only' : 'pb-1 text-label font-medium text-ink-2'}>
            {translate(groupTitle(group))}
          </h3>
          <DetailList details={details} item={item} title={title} editing={detailEditing} />
        </section>
      ))}
      {unsetDetails.length > 0 && (
        <Fold
          title={t('panel.unset')}
          count={unsetDetails.length}
          open={isUnsetOpen}
          onOpen={setUnsetOpen}
          className="px-4 [column-span:all]"
        >
          <DetailList details={unsetDetails} item={item} title={title} editing={detailEditing} className="pb-2.5" />
        </Fold>
      )}
    </div>
  );
}
