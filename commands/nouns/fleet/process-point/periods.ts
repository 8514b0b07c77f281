import { CommandError } from '#commands/model/errors.ts';
import { pathKey, stepsOf } from '#commands/text/field-path.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { PointItem } from './item.ts';

/** The time during which a device measures a process point, in ms since the epoch. */
export interface Period {
  readonly since: number;
  /** Exclusive; undefined for a current assignment. */
  readonly until: number | undefined;
  /** JSON paths of the shared fields; empty means all. */
  readonly fields: readonly string[];
}

/** A process point and a device, with their names for messages. */
export interface Pair {
  readonly organization: string;
  readonly point: { readonly id: string; readonly label: string };
  readonly device: { readonly id: string; readonly label: string };
}

export interface PairPeriods extends Pair {
  /** Ordered by their start. */
  readonly periods: readonly Period[];
}

/** @throws CommandError if there is not exactly one point */
export function onlyPoint(points: readonly PointItem[]): PointItem {
  const [point, another] = points;
  if (point && !another) return point;
  throw new CommandError(message('process-point:validation.onePoint'), 'processPoints');
}

/** The effect of a new period on the existing periods of the same device at the same point. */
export interface Effect {
  /** Periods that would end when the new one starts. */
  readonly ended: readonly Period[];
  /** Periods that the new one would replace entirely. */
  readonly deleted: readonly Period[];
}

/** Ends or deletes the periods that a new one conflicts with (contract: AssignmentService). */
export interface OverrideFlags {
  readonly override: boolean;
  readonly allowDelete: boolean;
}

export const keyOf = (point: string, device: string): string => `${point} ${device}`;
export const pairKey = ({ point, device }: Pair): string => keyOf(point.id, device.id);

/**
 * Returns what a new period would do. A device may not overlap itself at one point (contract: ProcessPointService).
 * Undefined if an existing period covers it and shares the same fields, so nothing would change.
 */
export function findEffect(periods: readonly Period[], wanted: Period): Effect | undefined {
  const end = ({ until }: Period): number => until ?? Infinity;
  const covers = (period: Period): boolean =>
    period.since <= wanted.since && end(period) >= end(wanted) && sameFields(period.fields, wanted.fields);
  if (periods.some(covers)) return undefined;
  const conflicts = periods.filter((period) => period.since < end(wanted) && wanted.since < end(period));
  return {
    ended: conflicts.filter(({ since }) => since < wanted.since),
    deleted: conflicts.filter(({ since }) => since >= wanted.since),
  };
}

/** Returns the periods after adding a new one with the given effect. */
export function addPeriod(periods: readonly Period[], wanted: Period, { ended, deleted }: Effect): readonly Period[] {
  return [
    ...periods
      .filter((period) => !deleted.includes(period))
      .map((period) => (ended.includes(period) ? { ...period, until: wanted.since } : period)),
    wanted,
  ].toSorted((a, b) => a.since - b.since);
}

/** True if both share the same fields, in any order and spelling. */
export function sameFields(a: readonly string[], b: readonly string[]): boolean {
  const keysOf = (paths: readonly string[]): string => JSON.stringify([...new Set(paths.map(pathKey))].toSorted());
  return keysOf(a) === keysOf(b);
}

/** Returns a message about the first path that no field can have. */
export function pathProblem(paths: readonly string[]): Message | undefined {
  const path = paths.find((text) => stepsOf(text) === undefined);
  return path === undefined ? undefined : message('process-point:validation.path', { path });
}

export function samePeriods(a: readonly Period[], b: readonly Period[]): boolean {
  return (
    a.length === b.length &&
    a.every((period, index) => {
      const other = b[index]!;
      return period.since === other.since && period.until === other.until && sameFields(period.fields, other.fields);
    })
  );
}
