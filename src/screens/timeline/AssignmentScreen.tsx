import { useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import type { PointItem } from '#commands/nouns/fleet/process-point/item.ts';
import { loadTimeline } from '#commands/nouns/fleet/process-point/timeline.ts';
import { itemName } from '#commands/run/focus.ts';
import { useIsCurrent } from '#src/address/use-is-current.ts';
import { onChange } from '#src/data/changes.ts';
import { invalidate, keyOf } from '#src/data/query-client.ts';
import { useText } from '#src/i18n/i18n.ts';
import { isNotFound, useItem } from '#src/panel/use-item.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { EmptyActions } from '#src/run/EmptyActions.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';
import { ToastsOverRows } from '#src/shell/ToastContainers.tsx';
import { reportFirstScreen } from '#src/state/first-screen.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { expectRows, onRowsShown } from '#src/state/key-queue.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';

import { Timeline } from './Timeline.tsx';

interface AssignmentScreenProps {
  /** The identifier of the process point. */
  readonly id: string | undefined;
}

/** The devices of a process point over time (spec 2: Device Assignment). */
export function AssignmentScreen({ id = '' }: AssignmentScreenProps) {
  const organization = useAtomValue(userSessionAtom)?.organization.id ?? '';
  return <Assignments key={`${organization} ${id}`} organization={organization} id={id} />;
}

function Assignments({ organization, id }: { readonly organization: string; readonly id: string }) {
  const t = useText('timeline');
  const isCurrent = useIsCurrent();
  const setVisibleTargets = useSetAtom(visibleTargetsAtom);
  const entity = processPoint as unknown as AnyEntity;
  const pointQuery = useItem(organization, entity, id);
  const point = (pointQuery.data ?? undefined) as PointItem | undefined;
  const queryKey = keyOf(organization, 'process-point', 'timeline', id);
  const timelineQuery = useQuery({
    // A change to the point reloads the point first.
    queryKey: [...queryKey, pointQuery.dataUpdatedAt],
    queryFn: ({ signal }) => loadTimeline(contextNow({ signal }), point!),
    enabled: point !== undefined,
    placeholderData: (previous) => previous,
  });
  useEffect(
    () =>
      onChange(({ entity: changedEntity }) => {
        if (changedEntity === 'process-point' || changedEntity === 'device')
          invalidate({ queryKey: keyOf(organization, 'process-point', 'timeline', id) });
      }),
    [organization, id],
  );

  const name = point && processPoint.label(point);
  useEffect(() => {
    if (point === undefined) return undefined;
    const subject = { entity: processPoint.name, id, name: itemName(processPoint, point) };
    setVisibleTargets((targets) => ({ ...targets, subject }));
    return () => setVisibleTargets((targets) => ({ ...targets, subject: undefined }));
  }, [point, id, setVisibleTargets]);

  const rows = timelineQuery.data;
  const error = pointQuery.error ?? timelineQuery.error;
  const hasSettled = rows !== undefined || error !== null || isNotFound(pointQuery);
  useEffect(() => {
    if (!hasSettled) expectRows();
    else if (isCurrent()) {
      onRowsShown();
      reportFirstScreen();
    }
  }, [hasSettled, isCurrent]);

  const retry = (): void => void (pointQuery.error ? pointQuery.refetch() : timelineQuery.refetch());
  const title = t('title', { name: name ?? '' });
  if (isNotFound(pointQuery))
    return <ScreenMessage title={t('gone')} actions={<CommandButton command="process-point.list" />} />;
  if (error && !rows) return <LoadError title={t('failed')} error={error} retry={retry} />;
  if (!rows || name === undefined)
    return (
      <div className="px-3 py-2">
        <SkeletonRows count={8} label={t('loading')} />
      </div>
    );
  const target = { processPoints: { ids: [id] } };
  return (
    <section aria-label={title} className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-filter shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        <h2 className="min-w-0 flex-[1_1_10rem] truncate">
          <span className="font-semibold">{name}</span>
          <span className="ml-2 text-ink-3">
            {rows.length === 0 ? t('headingEmpty') : t('heading', { count: rows.length })}
          </span>
        </h2>
        {rows.length > 0 && (
          <CommandButton command="process-point.assign-device" args={target} tone="primary" className="h-6" />
        )}
        <CommandButton command="process-point.import-assignments" className="h-6" />
        <CommandButton command="process-point.open" args={{ processPoint: `#${id}` }} className="h-6" />
      </header>
      {/* Toasts lie over the rows, because a lane below them would move the rows that the keys act on. */}
      <div className="relative flex min-h-0 flex-1 flex-col">
        {rows.length === 0 ? (
          <div className="min-h-0 flex-1">
            <ScreenMessage
              title={t('empty', { name })}
              actions={<EmptyActions actions={[{ id: 'process-point.assign-device', args: target }]} />}
            >
              {t('emptyHint')}
            </ScreenMessage>
          </div>
        ) : (
          <Timeline point={id} title={title} rows={rows} />
        )}
        <ToastsOverRows />
      </div>
    </section>
  );
}
