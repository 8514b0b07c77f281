import { create } from '@bufbuild/protobuf';
import { eq, sql } from 'drizzle-orm';

import type { Duration } from '#proto/gen/hiber/base_pb.ts';
import { type Simulation, type Simulation_UpdateRequest, SimulationSchema } from '#proto/gen/hiber/simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { type DeviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentDuration } from '#server/wire/present.ts';

import { checkLimits, lockSettings, readInterval, type SimulationSettings } from './limits.ts';
import { simulation } from './schema.ts';

/** The contract's maximum (contract: Get / Update). */
export const MAX_MESSAGES_PER_INTERVAL = 24;
/** The longest silence or delay, in seconds. */
const MAX_PERIOD_SECONDS = 30 * 86_400;
const DEFAULT_INTERVAL_SECONDS = 3600;

/** For organizations that haven't changed anything. */
const defaults = (organization: string): SimulationSettings => ({
  organization,
  enabled: false,
  inactivityPercentage: 0,
  inactivityMin: 0,
  inactivityMax: 0,
  delayPercentage: 0,
  delayMin: 0,
  delayMax: 0,
  messagesPerInterval: 1,
  intervalSeconds: DEFAULT_INTERVAL_SECONDS,
});

export async function loadSettings(db: Executor, organization: string): Promise<SimulationSettings> {
  const [row] = await db.select().from(simulation).where(eq(simulation.organization, organization));
  return row ?? defaults(organization);
}

/** Changes the settings that the request names, from each device's next run. */
export async function updateSettings(app: App, organization: string, request: Simulation_UpdateRequest): Promise<void> {
  const change = readChange(request);
  if (Object.keys(change).length === 0) return;
  await app.db.transaction(async (tx) => {
    await lockSettings(tx, organization);
    await tx.update(simulation).set(change).where(eq(simulation.organization, organization));
    await checkLimits(tx, organization);
  });
}

function readChange({
  enabled,
  deprecatedEnabled,
  simulateModemInactivity: inactivity,
  simulateDelayedMessages: delay,
  modemMessageSimulationDefaults: defaultValues,
}: Simulation_UpdateRequest): Partial<SimulationSettings> {
  const enable = enabled ?? (deprecatedEnabled?.updated ? deprecatedEnabled.value : undefined);
  const change: Partial<SimulationSettings> = enable === undefined ? {} : { enabled: enable };
  if (inactivity !== undefined) {
    const percentage = readPercentage(inactivity.percentageOfSimulatingModems, 'percentage_of_simulating_modems');
    const [min, max] = readPeriod(percentage, inactivity.periodMin, inactivity.periodMax, ['period_min', 'period_max']);
    Object.assign(change, { inactivityPercentage: percentage, inactivityMin: min, inactivityMax: max });
  }
  if (delay !== undefined) {
    const percentage = readPercentage(delay.percentageOfSimulatedMessages, 'percentage_of_simulated_messages');
    const [min, max] = readPeriod(percentage, delay.minimumMessageDelay, delay.maximumMessageDelay, [
      'minimum_message_delay',
      'maximum_message_delay',
    ]);
    Object.assign(change, { delayPercentage: percentage, delayMin: min, delayMax: max });
  }
  if (defaultValues !== undefined) {
    const { messagesPerInterval, simulationInterval } = defaultValues;
    const count = readMessagesPerInterval(messagesPerInterval);
    const interval = readInterval(readDuration(simulationInterval, 'simulation_interval'), 'simulation_interval');
    Object.assign(change, { messagesPerInterval: count ?? 1, intervalSeconds: interval ?? DEFAULT_INTERVAL_SECONDS });
  }
  return change;
}

/** 0 stands for the default. */
export function readMessagesPerInterval(count: number): number | undefined {
  if (count > MAX_MESSAGES_PER_INTERVAL) {
    throw invalidArgument(`messages_per_interval must be from 1 to ${MAX_MESSAGES_PER_INTERVAL}, not ${count}.`);
  }
  return count === 0 ? undefined : count;
}

function readPercentage(percentage: number, field: string): number {
  if (percentage > 100) throw invalidArgument(`${field} must be from 0 to 100, not ${percentage}.`);
  return percentage;
}

/** Reads the bounds of a period in seconds. Without a percentage they have no effect, so they may be unset. */
function readPeriod(
  percentage: number,
  min: Duration | undefined,
  max: Duration | undefined,
  [minField, maxField]: readonly [string, string],
): readonly [number, number] {
  const [shortest, longest] = [readDuration(min, minField) ?? 0, readDuration(max, maxField) ?? 0].map(Math.round) as [
    number,
    number,
  ];
  for (const [seconds, field] of [
    [shortest, minField],
    [longest, maxField],
  ] as const) {
    if (seconds < 0 || seconds > MAX_PERIOD_SECONDS) throw invalidArgument(`${field} must be from 0s to 30d.`);
  }
  if (shortest > longest) throw invalidArgument(`${minField} is longer than ${maxField}.`);
  if (percentage > 0 && longest === 0) throw invalidArgument(`Specify ${maxField}: it must be longer than 0s.`);
  return [shortest, longest];
}

/** Presents the settings, with counts of the devices that the caller may see. */
export async function presentSettings(app: App, scope: DeviceScope): Promise<Simulation> {
  const { orm } = app.db;
  const settings = await loadSettings(orm, scope.home);
  const { messagesPerInterval, intervalSeconds } = settings;
  const { rows } = await orm.execute<{ enabled: number; active: number; messages: number; runs: number }>(sql`
    select count(*)::int as enabled, (count(*) filter (where active))::int as active,
      coalesce(sum(86400.0 / seconds * amount) filter (where active), 0)::float8 as messages,
      coalesce(sum(86400.0 / seconds) filter (where active), 0)::float8 as runs
    from (
      select not (m.pause is not null and m.next_run > ${app.now().toISOString()}::timestamptz) as active,
        coalesce(m.interval_seconds, ${intervalSeconds}::int) as seconds,
        coalesce(m.messages_per_interval, ${messagesPerInterval}::int) as amount
      from message_simulation m
      join ${device} on ${device.organization} = m.organization and ${device.number} = m.number
      where m.organization = ${scope.home} and m.enabled and ${visibleDevices(scope)}
    ) as simulating`);
  const { enabled = 0, active = 0, messages = 0, runs = 0 } = rows[0] ?? {};
  return create(SimulationSchema, {
    organization: scope.home,
    enabled: settings.enabled,
    modemInactivity: {
      percentageOfSimulatingModems: settings.inactivityPercentage,
      periodMin: presentDuration(settings.inactivityMin),
      periodMax: presentDuration(settings.inactivityMax),
    },
    delayedMessages: {
      percentageOfSimulatedMessages: settings.delayPercentage,
      minimumMessageDelay: presentDuration(settings.delayMin),
      maximumMessageDelay: presentDuration(settings.delayMax),
    },
    modemMessageSimulationDefaults: { messagesPerInterval, simulationInterval: presentDuration(intervalSeconds) },
    modemMessageSimulation: {
      enabledModems: enabled,
      activeModems: active,
      inactiveModems: enabled - active,
      totalMessagesPerDay: Math.round(messages),
      totalSimulationsPerDay: Math.round(runs),
    },
  });
}
