import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';

import type { DetailTab } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { enterTabAtom, narrowTabAtom } from '#src/state/focus.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';

import { DetailTabRows } from './DetailTabRows.tsx';
import { NarrowBar } from './NarrowBar.tsx';
import { useDetailTab } from './use-detail-tab.ts';

interface DetailTabListProps {
  readonly title: string;
  /** The query key; ends with the id of the item. */
  readonly queryKey: readonly unknown[];
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
  /** True in a section of a page: an empty list then shows only a short note. */
  readonly quiet?: boolean;
}

const NO_NARROWING: Args = {};

/** A list that belongs to an item (messages, events, calls), below the fields that narrow it. */
export function DetailTabList({ tab, title, ...shared }: DetailTabListProps) {
  const text = useText();
  const narrowRequest = useAtomValue(narrowTabAtom);
  const request =
    narrowRequest?.tab === tab.id && narrowRequest.item === shared.queryKey.at(-1) ? narrowRequest : undefined;
  const [override, setOverride] = useState<{ readonly since: typeof request; readonly narrowing: Args }>();
  // The fields take precedence until a command narrows the list again.
  const narrowing = override && override.since === request ? override.narrowing : (request?.narrowing ?? NO_NARROWING);
  return (
    <>
      {tab.narrowings && (
        <NarrowBar
          key={request?.round}
          label={text('panel.narrow', { title })}
          narrowings={tab.narrowings}
          values={narrowing}
          onValues={(values) => setOverride({ since: request, narrowing: values })}
        />
      )}
      <Body tab={tab} title={title} narrowing={narrowing} {...shared} />
    </>
  );
}

function Body({
  title,
  queryKey,
  tab,
  item,
  quiet = false,
  narrowing,
}: DetailTabListProps & { readonly narrowing: Args }) {
  const say = useSay();
  const text = useText();
  const { rows, error, retry, loadMore, loadingMore, moreError } = useDetailTab(tab, item, queryKey, narrowing);
  const isEmpty = rows?.length === 0;
  const setEntered = useSetAtom(enterTabAtom);
  useEffect(() => {
    // There is no row to enter.
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
    const isNarrowed = Object.keys(narrowing).length > 0;
    const empty = text(isNarrowed ? 'panel.noMatch' : 'panel.empty', { title });
    if (quiet) return <p className="px-4 text-ink-3">{empty}</p>;
    const add = isNarrowed ? undefined : tab.add?.(item, contextNow());
    return <StateMessage title={empty} actions={add && <CommandButton command={add.id} args={add.args} />} />;
  }
  const fullList = tab.fullList?.(item);
  return (
    <>
      {fullList && (
        <div className="px-4 pt-2.5">
          <CommandButton command={fullList.id} args={fullList.args} showKeys={false}>
            {text('panel.elsewhere')}
          </CommandButton>
        </div>
      )}
      <DetailTabRows
        title={title}
        tab={tab}
        item={item}
        rows={rows}
        loadMore={loadMore}
        loadingMore={loadingMore}
        problem={moreError ? say(lookupFailure(moreError)) : undefined}
      />
    </>
  );
}
