import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';

import type { Related } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { enterTabAtom, narrowTabAtom } from '#src/state/focus.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { NarrowBar } from './NarrowBar.tsx';
import { RelatedRows } from './RelatedRows.tsx';
import { useRelated } from './use-related.ts';

interface RelatedListProps {
  readonly title: string;
  /** What it is kept under; ends in the id of the item. */
  readonly queryKey: readonly unknown[];
  readonly related: Related<unknown>;
  readonly item: unknown;
  /** Part of a screen: that there is nothing is said in passing. */
  readonly quiet?: boolean;
}

const EVERYTHING: Args = {};

/** What belongs to an item: its messages, its events, its calls; what narrows them down stands above. */
export function RelatedList({ related, title, ...shared }: RelatedListProps) {
  const text = useText();
  const wanted = useAtomValue(narrowTabAtom);
  const asked = wanted?.tab === related.id && wanted.item === shared.queryKey.at(-1) ? wanted : undefined;
  const [chosen, setChosen] = useState<{ readonly since: typeof asked; readonly narrow: Args }>();
  // The fields have the last word, until a command asks again.
  const narrow = chosen && chosen.since === asked ? chosen.narrow : (asked?.narrow ?? EVERYTHING);
  return (
    <>
      {related.narrow && (
        <NarrowBar
          key={asked?.round}
          label={text('panel.narrow', { title })}
          narrow={related.narrow}
          values={narrow}
          onValues={(values) => setChosen({ since: asked, narrow: values })}
        />
      )}
      <Body related={related} title={title} narrow={narrow} {...shared} />
    </>
  );
}

function Body({ title, queryKey, related, item, quiet = false, narrow }: RelatedListProps & { readonly narrow: Args }) {
  const say = useSay();
  const text = useText();
  const { rows, error, retry, more, loadingMore, moreError } = useRelated(related, item, queryKey, narrow);
  const isEmpty = rows?.length === 0;
  const setEntered = useSetAtom(enterTabAtom);
  useEffect(() => {
    // There is no row to go to.
    if (isEmpty) setEntered((entered) => (entered === related.id ? undefined : entered));
  }, [isEmpty, related.id, setEntered]);
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
    return <StateMessage title={empty} actions={related.filledBy && <CommandButton command={related.filledBy} />} />;
  }
  const elsewhere = related.elsewhere?.(item);
  return (
    <>
      {elsewhere && (
        <div className="px-4 pt-2.5">
          <CommandButton command={elsewhere.id} args={elsewhere.args} showKeys={false}>
            {text('panel.elsewhere')}
          </CommandButton>
        </div>
      )}
      <RelatedRows
        title={title}
        related={related}
        rows={rows}
        more={more}
        loadingMore={loadingMore}
        problem={moreError ? say(lookupFailure(moreError)) : undefined}
      />
    </>
  );
}
