import { create } from '@bufbuild/protobuf';

import { type HealthLevel, HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { deviceInstalled, deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import type { DeviceSubject } from '#server/domains/fleet/device/model/subject.ts';
import { messageCannotBeParsed } from '#server/domains/fleet/message/events.ts';
import { defaultHealthLevels } from '#server/domains/people/organization/default-health-levels.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

import type { ConditionRow } from './condition.ts';
import type { Fleet } from './fleet.ts';
import type { MessageRow } from './messages.ts';
import { createRandom } from './random.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const reasons: Record<string, { title: string; description: string }> = {
  inactivity: { title: 'No message for longer than expected', description: 'The device has been silent for too long.' },
  'pressure-above-limit': { title: 'Pressure above 90 bar', description: 'Pressure stays below 90 bar.' },
  'temperature-above-limit': { title: 'Temperature above 75 °C', description: 'Temperature stays below 75 °C.' },
  'flow-below-limit': { title: 'Flow below 5 m³/h', description: 'Flow stays above 5 m³/h.' },
  'level-above-limit': { title: 'Level above 85%', description: 'Level stays below 85%.' },
  'battery-low': { title: 'Battery below 3.4 V', description: 'The battery stays above 3.4 V.' },
  'line-pressure-low': { title: 'High pressure line below 20 bar', description: 'The line stays pressurized.' },
};

/**
 * Builds an unresolved alarm for every condition, and some edits and installations from the last two weeks. Sorts them
 * oldest first. `maxEdits` limits the edits and installations, which would take minutes for a large fleet.
 *
 * @param failures the events of messages that can't be parsed ({@link parsingFailures})
 */
export function seedEvents(
  fleet: Fleet,
  conditions: readonly ConditionRow[],
  maxEdits: number,
  now: Date,
  failures: readonly NewEvent[],
): NewEvent[] {
  const random = createRandom('events');
  const subjects = buildSubjects(fleet);
  const alarms = conditions.flatMap((condition) => {
    const subject = subjects.get(condition.number);
    const level = defaultHealthLevels.find(({ level }) => level === condition.healthLevel);
    const reason = reasons[condition.source];
    if (!subject || !level || !reason) return [];
    const healthLevel = create(HealthLevelSchema, {
      ...level,
      severity: BigInt(level.severity),
      color: level.colorData.text,
    });
    const { title, description } = reason;
    const alarm = { alarm: condition.source, alarmDescription: description, errorMessage: title, healthLevel };
    return [alarmTriggered(subject, condition.since, alarm)];
  });
  const updates = [...subjects.values()].slice(0, maxEdits).flatMap((subject) => {
    const time = new Date(now.getTime() - random.between(0.1, 13) * DAY);
    if (random.chance(0.15)) return [deviceInstalled(subject, time)];
    if (random.chance(0.3))
      return [deviceUpdated(subject, time, { changed: ['notes'], notes: 'Checked during the round.' })];
    return [];
  });
  return [...alarms, ...updates, ...failures].sort((a, b) => a.time.getTime() - b.time.getTime());
}

/** The maximum number of messages with an event; older ones are as good as resolved. */
const MAX_FAILURES = 20;

/**
 * Builds the events of the newest messages that can't be parsed.
 *
 * @param messages the messages that can't be parsed, oldest first
 */
export function parsingFailures(fleet: Fleet, messages: readonly MessageRow[], healthLevel: HealthLevel): NewEvent[] {
  const subjects = buildSubjects(fleet);
  const failureEvents = messages.flatMap(({ id, number, receivedAt, parsed }) => {
    const [outcome] = parsed ?? [];
    const subject = subjects.get(number);
    if (outcome?.error === undefined || subject === undefined) return [];
    const reason = `${outcome.name}: ${outcome.error}`;
    return [messageCannotBeParsed(subject, receivedAt, { messageId: id ?? 0, reason, healthLevel })];
  });
  return failureEvents.slice(-MAX_FAILURES);
}

function buildSubjects({ devices, tags, deviceTags }: Fleet): Map<string, DeviceSubject> {
  const subjects = new Map<string, DeviceSubject>();
  for (const { organization, number, name, externalIds, timeZone, lifecycle } of devices) {
    const identifier = externalIds?.[0] ?? '';
    subjects.set(number, {
      organization,
      number,
      name,
      identifier,
      timeZone: timeZone ?? 'UTC',
      tags: [],
      hidden: isHidden(lifecycle),
    });
  }
  const labels = new Map(tags.map(({ id, name, type }) => [id, { id, name, type }]));
  for (const { number, tag } of deviceTags) {
    const label = labels.get(tag);
    if (label) subjects.get(number)?.tags.push(label);
  }
  return subjects;
}
