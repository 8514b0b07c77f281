import type { Context } from '#commands/model/context.ts';
import { useMoment, useText, useTranslate } from '#src/i18n/i18n.ts';
import type { PlanState } from '#src/palette/plan/use-plan-state.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';

import type { Cursor, Move } from './model.ts';

interface MovePlanProps {
  readonly cursor: Cursor | undefined;
  readonly move: Move | undefined;
  readonly point: string;
  readonly planState: PlanState;
  readonly isInConflict: boolean;
  readonly context: Context;
}

/** Below the timeline: the assignment at the cursor, or the planned move with the commands that run or discard it. */
export function MovePlan({ cursor, move, point, planState, isInConflict, context }: MovePlanProps) {
  const t = useText('timeline');
  const moment = useMoment();
  if (!cursor) return null;
  const { row, period } = cursor;
  return (
    <section aria-label={t('move')} className="grid shrink-0 gap-2 border-t border-line bg-surface-1 px-3 py-2">
      <div className="grid min-h-10 grid-cols-[minmax(0,1fr)] content-center">
        {move ? (
          <Plan planState={planState} context={context} />
        ) : (
          <p className="text-ink-2">
            <span className="type-mono text-ink-1">{row.number}</span>
            {row.name !== row.number && <span className="ml-2">{row.name}</span>}
            <span className="ml-2 tabular-nums">
              {t('reading', {
                from: moment(period.since),
                until: period.until === undefined ? t('now') : moment(period.until),
              })}
            </span>
            <span className="ml-2 text-ink-3">
              {period.fields.length === 0 ? t('allFields') : t('fields', { fields: period.fields.join(', ') })}
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {move && !isInConflict && <CommandButton command="timeline.confirm-move" tone="primary" />}
        {isInConflict && <CommandButton command="timeline.solve-conflict" />}
        <CommandButton command="timeline.start-earlier" />
        <CommandButton command="timeline.start-later" />
        {move ? (
          <CommandButton command="timeline.discard-move" tone="quiet">
            {t('discard')}
          </CommandButton>
        ) : (
          period.until === undefined && (
            <CommandButton
              command="process-point.unassign-device"
              args={{ processPoints: { ids: [point] }, devices: [row.number] }}
              showKeys={false}
            />
          )
        )}
        {isInConflict && <span className="text-ink-3">{t('solved')}</span>}
      </div>
    </section>
  );
}

function Plan({ planState, context }: Pick<MovePlanProps, 'planState' | 'context'>) {
  const translate = useTranslate();
  switch (planState.status) {
    case 'ready':
      return <PlanView preparedRun={planState.preparedRun} organization={context.organization} />;
    case 'failed':
      return <p className="text-error-text">{translate(planState.message)}</p>;
    case 'preparing':
      return <Planning progress={planState.progress} />;
    case 'none':
      return null;
  }
}
