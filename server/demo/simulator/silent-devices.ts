import { eq, sql } from 'drizzle-orm';
import type { Database } from '#server/db/database.ts';
import { setting } from '#server/db/schema/setting.ts';
import { expectedToSpeak, INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';

/** What must survive a restart: how many silent devices the fleet began with, and who is falling silent. */
interface Memory {
  /** Silent devices per organization, as seeded. */
  readonly target: Record<string, number>;
  /** Device numbers per organization that no longer send, until their silence counts as inactivity. */
  readonly falling: Record<string, string[]>;
}

const KEY = 'simulator';
const speaking = sql.param([...expectedToSpeak]);
/** How far the number of silent devices may fall below the target before nobody comes back any more. */
const SLACK = 0.97;

export interface Quiet {
  /** Reads what was remembered. */
  load(): Promise<void>;
  /** Devices of the organization that must not send. */
  numbers(organization: string): string[];
  /** One more device falls silent. @returns one that comes back in exchange, unless too many have */
  change(
    organization: string | undefined,
  ): Promise<{ organization: string; number: string; profile: string } | undefined>;
}

/**
 * Lets devices fall silent and come back, so that health changes over time while its sum stays near what was seeded:
 * somebody comes back only while there are about as many silent devices as at first, and one that falls silent takes
 * hours to be noticed.
 */
export function createQuiet(db: Database): Quiet {
  let memory: Memory = { target: {}, falling: {} };

  async function save(): Promise<void> {
    await db.orm
      .insert(setting)
      .values({ key: KEY, value: memory })
      .onConflictDoUpdate({ target: setting.key, set: { value: memory } });
  }

  return {
    async load() {
      const [row] = await db.orm.select().from(setting).where(eq(setting.key, KEY));
      if (row) memory = row.value as Memory;
    },
    numbers: (organization) => memory.falling[organization] ?? [],
    async change(organization) {
      if (organization === undefined) return undefined;
      const { rows: silent } = await db.orm.execute<{ number: string; profile: string; speaks: boolean }>(sql`
        select d.number, d.metadata ->> 'profile' as profile,
          d.lifecycle = any(${speaking}::int[]) and d.metadata ? 'profile' as speaks
        from device_condition c join device d using (organization, number)
        where c.organization = ${organization} and c.source = ${INACTIVITY_SOURCE}`);
      const target = (memory.target[organization] ??= silent.length);
      const noticed = new Set(silent.map(({ number }) => number));
      const falling = (memory.falling[organization] ?? []).filter((number) => !noticed.has(number));
      const { rows: next } = await db.orm.execute<{ number: string }>(sql`
        select number from device d
        where organization = ${organization} and lifecycle = any(${speaking}::int[]) and metadata ? 'profile'
          and number <> all(${sql.param(falling)}::text[])
          and not exists (select 1 from device_condition c
            where c.organization = d.organization and c.number = d.number)
        order by random() limit 1`);
      // Those on their way count already, or a day of exchanges would pile up at once.
      if (next[0] && silent.length + falling.length < target * (2 - SLACK)) falling.push(next[0].number);
      memory.falling[organization] = falling;
      await save();
      if (silent.length < target * SLACK) return undefined;
      const candidates = silent.filter(({ speaks }) => speaks);
      const back = candidates[Math.floor(Math.random() * candidates.length)];
      return back && { organization, number: back.number, profile: back.profile };
    },
  };
}
