import { eq, sql } from 'drizzle-orm';

import type { Database } from '#server/db/database.ts';
import { setting } from '#server/db/schema/setting.ts';
import { lifecyclesExpectedToSend, INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';

/** The state that must survive a restart. */
interface SimulatorState {
  /** The seeded number of silent devices, keyed by organization. */
  readonly target: Record<string, number>;
  /** The numbers of devices that no longer send but do not count as inactive yet, keyed by organization. */
  readonly falling: Record<string, string[]>;
}

const KEY = 'simulator';
const sendingLifecycles = sql.param([...lifecyclesExpectedToSend]);
/** The fraction of the target below which silent devices no longer resume. */
const MIN_FRACTION = 0.97;

export interface SilentDevices {
  /** Loads the stored state. */
  load(): Promise<void>;
  /** The numbers of the organization's devices that must stay silent. */
  numbers(organization: string): string[];
  /**
   * Silences one more device.
   *
   * @returns a device that resumes sending in exchange; undefined if too many devices have already resumed
   */
  exchange(
    organization: string | undefined,
  ): Promise<{ organization: string; number: string; profile: string } | undefined>;
}

/**
 * Lets devices fall silent and resume, so their health changes over time while the totals stay close to the seeded
 * totals. It takes hours before a newly silent device counts as inactive, so a device resumes only while about as many
 * devices are silent as in the seed.
 */
export function createSilentDevices(db: Database): SilentDevices {
  let state: SimulatorState = { target: {}, falling: {} };

  async function save(): Promise<void> {
    await db.orm
      .insert(setting)
      .values({ key: KEY, value: state })
      .onConflictDoUpdate({ target: setting.key, set: { value: state } });
  }

  return {
    async load() {
      const [row] = await db.orm.select().from(setting).where(eq(setting.key, KEY));
      if (row) state = row.value as SimulatorState;
    },
    numbers: (organization) => state.falling[organization] ?? [],
    async exchange(organization) {
      if (organization === undefined) return undefined;
      const { rows: silentDevices } = await db.orm.execute<{ number: string; profile: string; sends: boolean }>(sql`
        select d.number, d.metadata ->> 'profile' as profile,
          d.lifecycle = any(${sendingLifecycles}::int[]) and d.metadata ? 'profile' as sends
        from device_condition c join device d using (organization, number)
        where c.organization = ${organization} and c.source = ${INACTIVITY_SOURCE}`);
      const target = (state.target[organization] ??= silentDevices.length);
      const inactiveNumbers = new Set(silentDevices.map(({ number }) => number));
      const fallingNumbers = (state.falling[organization] ?? []).filter((number) => !inactiveNumbers.has(number));
      const { rows: next } = await db.orm.execute<{ number: string }>(sql`
        select number from device d
        where organization = ${organization} and lifecycle = any(${sendingLifecycles}::int[]) and metadata ? 'profile'
          and number <> all(${sql.param(fallingNumbers)}::text[])
          and not exists (select 1 from device_condition c
            where c.organization = d.organization and c.number = d.number)
        order by random() limit 1`);
      // Also counts devices that are falling silent because a day's worth of exchanges would otherwise all take effect
      // together.
      if (next[0] && silentDevices.length + fallingNumbers.length < target * (2 - MIN_FRACTION))
        fallingNumbers.push(next[0].number);
      state.falling[organization] = fallingNumbers;
      await save();
      if (silentDevices.length < target * MIN_FRACTION) return undefined;
      const candidates = silentDevices.filter(({ sends }) => sends);
      const returningDevice = candidates[Math.floor(Math.random() * candidates.length)];
      return returningDevice && { organization, number: returningDevice.number, profile: returningDevice.profile };
    },
  };
}
