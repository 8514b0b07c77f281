import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { UpdateDevice, UpdateDevice_UpdatePeripherals } from '#proto/gen/hiber/device_pb.ts';
import type { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { Modem_Lifecycle as Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { isHidden } from '#server/wire/lifecycles.ts';
import { requireTimeZone } from '#server/wire/time-zones.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

/** The checked changes in an UpdateDevice. Absent means unchanged, and null means cleared. */
export interface Changes {
  readonly name?: string | undefined;
  readonly notes?: string | undefined;
  readonly secureNotes?: string | undefined;
  readonly peripherals?: { replace: boolean; remove: string[]; add: Record<string, string> } | undefined;
  readonly timeZone?: string | null | undefined;
  readonly lifecycle?: Modem_Lifecycle | undefined;
  readonly transmissionInterval?: number | null | undefined;
  readonly expectedTransmissionRate?: number | null | undefined;
  readonly externalId?: string | undefined;
  readonly batteryReplacedAt?: Date | undefined;
}

const MAX_NAME_LENGTH = MAX_LENGTH.deviceName;
const MAX_NOTE_LENGTH = MAX_LENGTH.notes;

/** Reads and authorizes every field. Errors name the field and the values that it accepts. */
export function readChanges(update: UpdateDevice, caller: Scope, now: Date): Changes {
  if (update.secureNotes !== undefined) caller.require('MODEMS_SECURE_NOTES');
  if (update.timeZone !== undefined) caller.require('MANAGE_DEVICE_TIME_ZONE');
  if (update.transmissionInterval !== undefined) caller.require('MANAGE_DEVICE_TRANSMISSION_INTERVAL');
  if (update.expectedTransmissionRate !== undefined) caller.require('MANAGE_DEVICE_SLA');
  if (update.addFiles.length + update.deleteFiles.length > 0) caller.require('MODEMS_UPDATE_FILES');
  return {
    name: readText(update.name?.trim(), 'A name', MAX_NAME_LENGTH),
    notes: readText(update.notes, 'Notes', MAX_NOTE_LENGTH),
    secureNotes: readText(update.secureNotes, 'Secure notes', MAX_NOTE_LENGTH),
    peripherals: readPeripherals(update.peripherals),
    timeZone: readTimeZone(update.timeZone),
    lifecycle: readLifecycle(update.lifecycle, caller),
    transmissionInterval: readInterval(update),
    // Sending the default value clears the field, so the organization's default applies again.
    expectedTransmissionRate: update.expectedTransmissionRate && (update.expectedTransmissionRate.value || null),
    externalId: readExternalId(update.setExternalDeviceIdentifier),
    batteryReplacedAt: readBatteryReplacement(update, now),
  };
}

function readText(text: string | undefined, label: string, maxLength: number): string | undefined {
  if (text !== undefined && text.length > maxLength) {
    throw invalidArgument(`${label} can have at most ${maxLength} characters, not ${text.length}.`);
  }
  return text;
}

function readPeripherals(update: UpdateDevice_UpdatePeripherals | undefined): Changes['peripherals'] {
  const replace = update?.replace;
  if (replace?.case === undefined) return undefined;
  const add = replace.case === 'fullReplace' ? replace.value.replacePeripherals : replace.value.addPeripherals;
  if (Object.keys(add).some((name) => name.trim() === '')) throw invalidArgument('A peripheral needs a name.');
  const remove = replace.case === 'fullReplace' ? [] : replace.value.removePeripherals;
  return { replace: replace.case === 'fullReplace', remove, add };
}

function readTimeZone(zone: string | undefined): string | null | undefined {
  if (!zone) return zone === '' ? null : undefined;
  return requireTimeZone(zone);
}

/**
 * Rejects a lifecycle that the caller cannot see, because the device would vanish from their view (not specified in the
 * contract).
 */
function readLifecycle(lifecycle: Modem_Lifecycle | undefined, caller: Scope): Modem_Lifecycle | undefined {
  if (lifecycle === undefined) return undefined;
  if (!(Object.values(Lifecycle) as number[]).includes(lifecycle))
    throw invalidArgument(`Unknown lifecycle: ${lifecycle}.`);
  if (isHidden(lifecycle)) caller.require('DEVICE_VIEW_ALL_LIFECYCLES');
  return lifecycle;
}

function readInterval({ transmissionInterval }: UpdateDevice): number | null | undefined {
  if (transmissionInterval === undefined) return undefined;
  const seconds = Math.round(readDuration(transmissionInterval, 'transmission_interval') ?? 0);
  if (seconds < 0) throw invalidArgument("A transmission interval can't be negative.");
  return seconds || null;
}

function readExternalId(identifier: string | undefined): string | undefined {
  if (identifier !== undefined && identifier.trim() === '') {
    throw invalidArgument("An external device identifier can't be empty.");
  }
  return identifier?.trim();
}

function readBatteryReplacement({ batteryReplacement }: UpdateDevice, now: Date): Date | undefined {
  const time = readTimestamp(batteryReplacement, now, 'battery_replacement');
  if (time && time > now) throw invalidArgument("A battery replacement can't be in the future.");
  return time;
}
