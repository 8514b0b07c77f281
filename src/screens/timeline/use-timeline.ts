import { useSetAtom } from 'jotai';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { TimelineHost } from '#commands/model/screen-hosts.ts';
import { moveAssignment } from '#commands/nouns/fleet/process-point/move-assignment.ts';
import type { TimelineRow } from '#commands/nouns/fleet/process-point/timeline.ts';
import { usePlan } from '#src/palette/plan/use-plan.ts';
import { contextNow, provide } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { execute } from '#src/run/runner.ts';
import { timelineHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

import {
  findConflicts,
  findCursor,
  INITIAL,
  moveArgs,
  moveBar,
  moveRow,
  moveStart,
  type TimelineState,
} from './model.ts';
import { computeFullRange } from './scale.ts';
import { useZoom } from './use-zoom.ts';

const nothing = (): void => undefined;

/**
 * The cursor of a timeline, its visible range, and the planned move with its plan. Publishes the host that commands act
 * on.
 */
export function useTimeline(point: string, rows: readonly TimelineRow[], initialContext: Context, now: number) {
  const setHost = useSetAtom(timelineHostAtom);
  const [stored, setState] = useState(INITIAL);
  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  });
  const change = useCallback(
    (next: (state: TimelineState, rows: readonly TimelineRow[]) => TimelineState) =>
      setState((state) => next(state, latestRows.current)),
    [],
  );

  const cursor = findCursor(stored, rows);
  const movedRow = rows.find(({ number }) => number === stored.move?.number);
  // Someone else may have changed the assignment in the meantime.
  const move = movedRow?.periods.some(({ since }) => since === stored.move?.start) ? stored.move : undefined;
  const args = useMemo(() => move && moveArgs(point, move), [point, move]);
  // A new context would plan the same move again.
  const context = useMemo(() => (args ? contextNow() : initialContext), [args, initialContext]);
  const { planState, submit } = usePlan({
    command: moveAssignment,
    args,
    isAccepted: true,
    context,
    initialRun: undefined,
    outline: undefined,
    onRun: (preparedRun) => {
      setState((state) => ({ ...state, start: move?.from, move: undefined }));
      void execute(preparedRun);
    },
    onPlan: nothing,
  });
  const conflicts = useMemo(() => (move && movedRow ? findConflicts(move, movedRow) : []), [move, movedRow]);
  const isInConflict = conflicts.length > 0 && move?.overrides === false;
  const problem = planState.status === 'failed' ? planState.message : undefined;

  const fullRange = useMemo(
    () =>
      computeFullRange(
        [...rows.flatMap(({ periods }) => periods.map(({ since }) => since)), ...(move ? [move.from] : [])],
        now,
      ),
    [rows, move, now],
  );
  // While a start moves, it stays in view.
  const zoom = useZoom(fullRange, move ? { since: move.from, until: move.from } : cursor?.period, now);
  const zoomBy = useEffectEvent((direction: 1 | -1): void => zoom.zoomBy(direction));
  const resetZoom = useEffectEvent((): void => zoom.reset());

  const confirm = useEffectEvent((): void => {
    if (args) submit(args);
    else if (cursor) void invoke({ id: 'device.open', args: { device: cursor.row.number } });
  });
  const isMoving = move !== undefined;
  useEffect(() => {
    const host: TimelineHost = {
      moveRow: (offset) => change((state, current) => moveRow(state, current, offset)),
      moveToEdge: (edge) =>
        change((state, current) => moveRow(state, current, edge === 'first' ? -Infinity : Infinity)),
      moveBar: (offset) => change((state, current) => moveBar(state, current, offset)),
      moveStart: (days) => change((state, current) => moveStart(state, current, days, Date.now())),
      zoom: zoomBy,
      resetZoom,
      isMoving,
      problem,
      solve: isInConflict
        ? () => change((state) => (state.move ? { ...state, move: { ...state.move, overrides: true } } : state))
        : undefined,
      confirm,
      discard: () => {
        if (isMoving) change((state) => ({ ...state, move: undefined }));
        return isMoving;
      },
    };
    // The context that the atom builds must already have the host.
    provide({ timeline: host });
    setHost(host);
    return () => {
      if (store.get(timelineHostAtom) !== host) return;
      provide({ timeline: undefined });
      setHost(undefined);
    };
  }, [change, isMoving, problem, isInConflict, setHost]);

  const activate = useCallback((device: string, start: number) => {
    setState((state) =>
      state.number === device && state.start === start ? state : { number: device, start, move: undefined },
    );
  }, []);
  return { cursor, move, conflicts, isInConflict, planState, problem, zoom, activate };
}
