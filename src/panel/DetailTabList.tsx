import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';

import type { DetailTab } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { enterTabAtom, narrowTabAtom } from '#src/state/focus.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { NarrowBar } from './NarrowBar.tsx';
import { DetailTabRows } from './DetailTabRows.tsx';
import { useDetailTab } from './use-detail-tab.ts';

interface DetailTabListProps {
  readonly title: string;
  /** What it is kept under; ends in the id of the item. */
  readonly queryKey: readonly unknown[];
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
  /** Part of a screen: that there is nothing is said in passing. */
  readonly quiet?: boolean;
}

const EVERYTHING: Args = {};

/** What belongs to an item: its messages, its events, its calls; what narrows them down stands above. */
export function DetailTabList({ tab, title, ...shared }: DetailTabListProps) {
  const text = useText();
  const wanted = useAtomValue(narrowTabAtom);
  const asked = wanted?.tab === tab.id && wanted.item === shared.queryKey.at(-1) ? wanted : undefined;
  const [chosen, setChosen] = useState<{ readonly since: typeof asked; readonly narrow: Args }>();
  // The fields have the last word, until a command asks again.
  const narrow = chosen && chosen.since === asked ? chosen.narrow : (asked?.narrow ?? EVERYTHING);
  return (
    <>
      {tab.narrow && (
        <NarrowBar
          key={asked?.round}
          label={text('panel.narrow', { title })}
          narrow={tab.narrow}
          values={narrow}
          onValues={(values) => setChosen({ since: asked, narrow: values })}
        />
      )}
      <Body tab={tab} title={title} narrow={narrow} {...shared} />
    </>
  );
}

function Body({ title, queryKey, tab, item, quiet = false, narrow }: DetailTabListProps & { readonly narrow: Args }) {
  const say = useSay();
  const text = useText();
  const { rows, error, retry, more, loadingMore, moreError } = useDetailTab(tab, item, queryKey, narrow);
  const isEmpty = rows?.length === 0;
  const setEntered = useSetAtom(enterTabAtom);
  useEffect(() => {
    // There is no row to go to.
    if (isEmpty) setEntered((entered) => (entered === tab.id ? undefined : entered));
  }, [isEmpty, tab.id, setEntered]);
  if (error && !rows) {
    return <LoadError title={text('panel.failed', { title })} error={error} retry={retry} />;
  }
  if (!rows)
    return (
      <div className="px-4 py-2">
        <SkeletonRows count={6} label={text('panel.loading', { title })} />
      </div>
    );
  if (isEmpty) {
    const none = Object.keys(narrow).length > 0 ? 'panel.noMatch' : 'panel.empty';
    const empty = text(none, { title });
    if (quiet) return <p className="px-4 text-ink-3">{empty}</p>;
    return <StateMessage title={empty} actions={tab.filledBy && <CommandButton command={tab.filledBy} />} />;
  }
  const elsewhere = tab.elsewhere?.(item);
  return (
    <>
      {elsewhere && (
        <div className="px-4 pt-2.5">
          <CommandButton command={elsewhere.id} args={elsewhere.args} showKeys={false}>
            {text('panel.elsewhere')}
          </CommandButton>
        </div>
      )}
      <DetailTabRows
        title={title}
        tab={tab}
        rows={rows}
        more={more}
        loadingMore={loadingMore}
        problem={moreError ? say(lookupFailure(moreError)) : undefined}
      />
    </>
  );
}
