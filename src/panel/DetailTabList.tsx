import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';

import type { DetailTab, TextLine } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { EmptyActions } from '#src/run/EmptyActions.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { tabToFocusAtom, tabFilterAtom } from '#src/state/focus.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';

import { AddButton } from './AddButton.tsx';
import { DetailTabRows as Rows } from './DetailTabRows.tsx';
import { Log } from './log/Log.tsx';
import { TabFilterBar } from './TabFilterBar.tsx';
import { TextLines } from './TextLines.tsx';
import { useDetailTab, type DetailTabRows } from './use-detail-tab.ts';

interface DetailTabListProps {
  readonly title: string;
  /** The query key, which ends with the item's id. */
  readonly queryKey: readonly unknown[];
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
  /** True for a section of a page, where an empty list shows only a short note. */
  readonly quiet?: boolean;
}

const NO_FILTER_VALUES: Args = {};

/** A list that belongs to an item, such as its messages, events, or calls, with filters above it. */
export function DetailTabList({ tab, title, ...shared }: DetailTabListProps) {
  const t = useText();
  const filterRequest = useAtomValue(tabFilterAtom);
  const request =
    filterRequest?.tab === tab.id && filterRequest.item === shared.queryKey.at(-1) ? filterRequest : undefined;
  const [override, setOverride] = useState<{ readonly since: typeof request; readonly filterValues: Args }>();
  // Values that the user enters take precedence until a command filters the list again.
  const filterValues =
    override && override.since === request ? override.filterValues : (request?.filterValues ?? NO_FILTER_VALUES);
  const tabRows = useDetailTab(tab, shared.item, shared.queryKey, filterValues);
  const isFiltered = Object.entries(tab.filters ?? {}).some(
    ([name, { sorts, param }]) => !sorts && (name in filterValues || Boolean(param.fallback)),
  );
  return (
    <>
      {/* There is nothing to narrow down in an empty log, which asks for its first entry instead. */}
      {tab.filters && (!tab.entry || override || isFiltered || tabRows.rows?.length !== 0) && (
        <TabFilterBar
          key={request?.requestNumber}
          label={t('panel.narrow', { title })}
          filters={tab.filters}
          values={filterValues}
          onValues={(values) => setOverride({ since: request, filterValues: values })}
        />
      )}
      <Body tab={tab} title={title} isFiltered={isFiltered} tabRows={tabRows} {...shared} />
    </>
  );
}

interface BodyProps extends Omit<DetailTabListProps, 'queryKey'> {
  /** True if a filter may hide rows. */
  readonly isFiltered: boolean;
  readonly tabRows: DetailTabRows;
}

function Body({ title, tab, item, quiet = false, isFiltered, tabRows }: BodyProps) {
  const translate = useTranslate();
  const t = useText();
  const { rows, isCapped, error, retry, loadMore, isLoadingMore, moreError } = tabRows;
  const isEmpty = rows?.length === 0;
  const setEnteredTab = useSetAtom(tabToFocusAtom);
  useEffect(() => {
    // An empty list has no row to enter.
    if (isEmpty) setEnteredTab((enteredTab) => (enteredTab === tab.id ? undefined : enteredTab));
  }, [isEmpty, tab.id, setEnteredTab]);
  if (error && !rows) {
    return <LoadError title={t('panel.failed', { title })} error={error} retry={retry} />;
  }
  if (!rows)
    return (
      <div className="px-4 py-2">
        <SkeletonRows count={6} label={t('panel.loading', { title })} />
      </div>
    );
  if (isEmpty) {
    const emptyText = t(isFiltered ? 'panel.noMatch' : 'panel.empty', { title });
    if (quiet) return <p className="px-4 text-ink-3">{emptyText}</p>;
    const add = isFiltered ? undefined : tab.add?.(item, contextNow());
    const hint = tab.emptyHint?.(item);
    return (
      <StateMessage title={emptyText} actions={add && <EmptyActions actions={[add]} />}>
        {hint && translate(hint)}
      </StateMessage>
    );
  }
  if (tab.lines) return <TextLines title={title} tab={tab.id} lines={rows as readonly TextLine[]} />;
  const List = tab.entry ? Log : Rows;
  const fullList = tab.fullList?.(item);
  const addMore = tab.addsMore ? tab.add?.(item, contextNow()) : undefined;
  const remove = tab.remove?.(item, contextNow());
  return (
    <>
      {isCapped && tab.cappedMessage && (
        <p role="status" className="border-b border-line px-4 py-1.5 text-warning-text">
          {translate(tab.cappedMessage)}
        </p>
      )}
      {(fullList || addMore || remove) && (
        <div className="flex flex-wrap gap-2 px-4 pt-2.5">
          {addMore && <AddButton add={addMore} explains={tab.entry !== undefined} />}
          {remove && <CommandButton command={remove.id} args={remove.args} />}
          {fullList && (
            <CommandButton command={fullList.id} args={fullList.args} showKeys={false}>
              {tab.fullListTitle ? translate(tab.fullListTitle) : t('panel.elsewhere')}
            </CommandButton>
          )}
        </div>
      )}
      <List
        title={title}
        tab={tab}
        item={item}
        rows={rows}
        loadMore={loadMore}
        isLoadingMore={isLoadingMore}
        problem={moreError ? translate(lookupFailure(moreError)) : undefined}
      />
    </>
  );
}
