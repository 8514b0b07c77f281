/** The time during which a device measures a process point. */
export interface Period {
  readonly since: Date;
  /** Exclusive; null for a current one. */
  readonly until: Date | null;
  /** Paths of the shared fields; empty means all. */
  readonly sharedFields: readonly string[];
}

/** The effect of assigning a device to a process point. */
export type PeriodPlan<P extends Period> =
  /** The device is already assigned for that time, so nothing changes. */
  | { readonly existing: P }
  | {
      /** Conflicting periods that would end when the new one starts. */
      readonly ended: readonly P[];
      /** Conflicting periods that start later, so the new one would replace all of them. */
      readonly deleted: readonly P[];
    };

/**
 * Plans a new period for a device at a process point. A device's periods at the same point may not overlap (contract:
 * ProcessPointService). Without conflicts, both lists are empty.
 *
 * @param periods the existing periods of the same device at the same point
 */
export function planPeriod<P extends Period>(periods: readonly P[], wanted: Period): PeriodPlan<P> {
  const existing = periods.find((period) => covers(period, wanted) && sharesSameFields(period, wanted));
  if (existing !== undefined) return { existing };
  const conflicts = periods.filter((period) => overlaps(period, wanted));
  return {
    ended: conflicts.filter(({ since }) => since < wanted.since),
    deleted: conflicts.filter(({ since }) => since >= wanted.since),
  };
}

const isBefore = (a: Date | null, b: Date | null): boolean => a !== null && (b === null || a < b);

const overlaps = (a: Period, b: Period): boolean =>
  (b.until === null || a.since < b.until) && (a.until === null || b.since < a.until);

const covers = (a: Period, b: Period): boolean => a.since <= b.since && !isBefore(a.until, b.until);

function sharesSameFields(a: Period, b: Period): boolean {
  const fields = new Set(a.sharedFields);
  return fields.size === new Set(b.sharedFields).size && b.sharedFields.every((field) => fields.has(field));
}
