import { useAtom } from 'jotai';
import { useId, useRef, useSyncExternalStore } from 'react';

import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { overviewOf } from '#commands/model/overview.ts';
import { groupTitle } from '#commands/model/fact-groups.ts';

import { useSay, useText } from '#src/i18n/i18n.ts';
import { unsetShownAtom } from '#src/state/unset.ts';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { Fold } from '#src/ui/Fold.tsx';
import { FactList } from './FactList.tsx';
import { useFactEditing } from './use-fact-editing.tsx';

/** The facts of one item: what is wrong, then group by group; what is not set lies folded at the end. */
export function Overview({ entity, item }: { readonly entity: AnyEntity; readonly item: unknown }) {
  const say = useSay();
  const text = useText();
  const id = useId();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const [shown, setShown] = useAtom(unsetShownAtom);
  const { groups, unset } = overviewOf(entity.facts ?? [], item, now);
  const title = (fact: string): string => say(entityTexts.fact(entity, fact));
  const root = useRef<HTMLDivElement>(null);
  const editing = useFactEditing(entity.name, entity.id(item), title, root);
  return (
    <div ref={root} className="divide-y divide-line">
      {groups.map(({ group, facts }) => (
        <section key={group} aria-labelledby={`${id}${group}`} className="px-4 py-2.5">
          <h3 id={`${id}${group}`} className={group === 'state' ? 'sr-only' : 'pb-1 text-label font-medium text-ink-2'}>
            {say(groupTitle(group))}
          </h3>
          <FactList facts={facts} item={item} title={title} editing={editing} />
        </section>
      ))}
      {unset.length > 0 && (
        <Fold title={text('panel.unset')} count={unset.length} open={shown} onOpen={setShown} className="px-4">
          <FactList facts={unset} item={item} title={title} editing={editing} className="pb-2.5" />
        </Fold>
      )}
    </div>
  );
}
