import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtom, useAtomValue } from 'jotai';
import { type ComponentProps, useCallback, useEffect, useMemo, useRef } from 'react';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { sortOf } from '#commands/query/edit.ts';
import { NO_CHART, type Search } from '#src/address/address.ts';
import { useIsCurrent } from '#src/address/use-is-current.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { FilterLine } from '#src/filter/FilterLine.tsx';
import { isInvalidFilter, InvalidFilter } from '#src/filter/InvalidFilter.tsx';
import type { FilterLineHandle } from '#src/filter/line-props.ts';
import { useMoment, useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { readFilter } from '#src/registry/filter-language.ts';
import { directory } from '#src/registry/registry.ts';
import { invoke } from '#src/run/invoke.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { showError } from '#src/run/show-error.ts';
import { ToastsOverRows } from '#src/shell/ToastContainers.tsx';
import { columnChoicesAtom } from '#src/state/columns.ts';
import { reportFirstScreen } from '#src/state/first-screen.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { onRowsShown, expectRows, expectScreen, waitForView } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { DataTable } from '#src/table/DataTable.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';
import { useSustained } from '#src/ui/use-sustained.ts';

import type { EmptyList as EmptyListPart } from './EmptyList.tsx';
import { shownColumns, tableColumns } from './entity-columns.ts';
import { ListActions } from './ListActions.tsx';
import type { NoMatch as NoMatchPart } from './NoMatch.tsx';
import { PanelArea } from './PanelArea.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { StaffOnlyCount } from './StaffOnlyCount.tsx';
import { useCellEditing } from './use-cell-editing.tsx';
import { useEntityTable } from './use-entity-table.ts';
import { usePanelHost } from './use-panel-host.ts';
import { useTableHost } from './use-table-host.ts';
import { ViewTabs } from './ViewTabs.tsx';

/** Delay before rows of the previous filter are dimmed. */
const STALE_AFTER_MS = 400;

const NO_CHOICES = {};

// Loaded on first use, because most lists have matches.
const EmptyList = lazyPart<ComponentProps<typeof EmptyListPart>>(
  async () => (await import('./EmptyList.tsx')).EmptyList,
);
const NoMatch = lazyPart<ComponentProps<typeof NoMatchPart>>(async () => (await import('./NoMatch.tsx')).NoMatch);

/** The screen of any entity: its views, its filter, its table, and the panel. */
export function EntityScreen({ entity }: { readonly entity: AnyEntity }) {
  const session = useAtomValue(userSessionAtom);
  return <EntityTable key={session?.organization.id} entity={entity} organization={session?.organization.id ?? ''} />;
}

function EntityTable({ entity, organization }: { readonly entity: AnyEntity; readonly organization: string }) {
  const translate = useTranslate();
  const t = useText();
  const moment = useMoment();
  const keyHints = useKeyHints();
  const navigate = useNavigate();
  const { filter: filterText = '' }: Search = useSearch({ strict: false });
  const filter = useMemo(() => readFilter(filterText, entity), [filterText, entity]);
  const filterLine = useRef<FilterLineHandle>(null);
  const [choices, setChoices] = useAtom(columnChoicesAtom);
  const columnChoices = choices[entity.name] ?? NO_CHOICES;
  const filterKeys = filter.filter.terms.map(({ key }) => key);
  // A string, not an array, so the memo below compares it by content.
  const shownIds = shownColumns(entity, columnChoices, filterKeys).join(' ');
  const needsDeferredValues =
    entity.deferredValues !== undefined &&
    entity.columns.some(({ id, optional }) => optional && shownIds.split(' ').includes(id));
  const showColumns = useCallback(
    (change: Readonly<Record<string, boolean>>) =>
      setChoices((stored) => ({ ...stored, [entity.name]: { ...stored[entity.name], ...change } })),
    [entity, setChoices],
  );
  const { source, model, version, visibleFilter, capped } = useEntityTable(filter, needsDeferredValues);
  const isCurrent = useIsCurrent();
  useEffect(() => {
    if (!source.isShown()) expectRows();
    else if (isCurrent()) onRowsShown();
  }, [source, version, isCurrent]);

  const setFilter = useCallback(
    (next: string) => {
      const navigation = navigate({
        to: '.',
        search: (previous: Search) => ({
          ...previous,
          filter: next || undefined,
          panel: undefined,
          full: undefined,
          tab: undefined,
          ...NO_CHART,
        }),
      });
      if (next === filter.text) return;
      // Another list is about to load, and later keystrokes wait for it.
      expectScreen();
      void waitForView(navigation);
    },
    [navigate, filter],
  );
  // The rows of the previous filter stay until the new rows arrive. After a while, they are dimmed.
  const stale = useSustained(source.total() !== undefined && !source.isShown(), STALE_AFTER_MS);
  const filteredTable = useMemo(() => ({ model, filter }), [model, filter]);
  const panelState = usePanelHost(filteredTable);
  const { isFull } = panelState;
  const cellEditing = useCellEditing(model, filter, shownIds);
  useTableHost({ model, filter, isStale: stale, setFilter, shownIds, showColumns, filterLine, isFull, cellEditing });

  const columns = useMemo(
    () => tableColumns(entity, { translate, moment, levelName: (level) => t(`shell.level.${level}`) }),
    [entity, translate, t, moment],
  );
  const visibleColumns = useMemo(
    () => columns.filter(({ id }) => shownIds.split(' ').includes(id)),
    [columns, shownIds],
  );
  const title = translate(entityLabels.title(entity));
  const total = source.total();
  const hasLoaded = total !== undefined;
  useEffect(() => {
    if (hasLoaded) reportFirstScreen();
  }, [hasLoaded]);
  return (
    <PanelArea state={panelState}>
      <section aria-label={title} className="flex h-full min-h-0 flex-col">
        <ViewTabs filter={filter} />
        {/* Next to a panel, the actions wrap to their own row if there is no room. */}
        <div className="flex shrink-0 flex-wrap items-center gap-x-1.5 border-b border-line pr-3 [&>search]:min-w-0 [&>search]:flex-[1_0_18rem] [&>search]:border-b-0">
          <FilterLine
            ref={filterLine}
            filter={filter}
            onText={setFilter}
            total={total}
            isStale={stale}
            totalNote={<StaffOnlyCount organization={organization} filter={filter} />}
          />
          {/* An empty list shows the actions in the middle instead. */}
          {total !== 0 && <ListActions entity={entity} />}
        </div>
        {capped && entity.cappedMessage && (
          <p role="status" className="shrink-0 border-b border-line px-3 py-1 text-warning-text">
            {translate(entity.cappedMessage)}
          </p>
        )}
        <DataTable
          model={model}
          columns={visibleColumns}
          stale={stale}
          sort={sortOf(filter).map(({ name, descending }) => ({
            column: columnSortedBy(entity, name),
            descending,
          }))}
          onSort={(column) => {
            const sort = entity.columns.find(({ id }) => id === column)?.sort ?? column;
            void invoke({ id: 'view.cycle-sort', args: { by: sort } });
          }}
          // Clicking the row has moved the cursor to it, and the panel, if it is open, already shows it.
          onOpen={() => {
            if (!isActiveRowOpen()) void invoke({ id: 'view.open', args: {} });
          }}
          onMenu={() => void invoke({ id: 'app.actions', args: {} })}
          labels={{
            label: title,
            select: t('screen.select'),
            selectAll: t('screen.selectAll'),
            retry: t('screen.retry'),
            retryKeys: keyHints(directory().command('view.refresh')),
            rowError: (error) => translate(lookupFailure(error)),
          }}
          onError={(error) => showError(error)}
          overlay={
            <>
              {cellEditing.editor}
              {!panelState.isCovered && <ToastsOverRows />}
            </>
          }
          empty={
            visibleFilter.text === '' ? (
              <EmptyList entity={entity} />
            ) : (
              <NoMatch organization={organization} filter={visibleFilter} />
            )
          }
          error={(error, retry) =>
            isInvalidFilter(filter.text, error) ? (
              <InvalidFilter filter={filter.text} error={error} onFilter={setFilter} />
            ) : (
              <LoadError title={t('panel.failed', { title })} error={error} retry={retry} />
            )
          }
        />
        <SelectionBar entity={entity} />
      </section>
    </PanelArea>
  );
}

/** True if the panel shows the active row. Opening it again would show it full screen. */
function isActiveRowOpen(): boolean {
  const { panel, table } = store.get(visibleTargetsAtom);
  return panel !== undefined && panel.entity === table?.entity && panel.id === table.row?.id;
}

function columnSortedBy(entity: AnyEntity, sort: string): string {
  return entity.columns.find((column) => column.sort === sort)?.id ?? sort;
}
