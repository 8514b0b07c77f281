import { type JsonValue, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';

import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import type { CreateProcessPoint, UpdateProcessPoint } from '#proto/gen/hiber/process_point_service_pb.ts';
import { readLocation } from '#server/db/locations.ts';
import type { PointRow } from '#server/domains/fleet/process-point/model/where.ts';
import { requireDistinct } from '#server/wire/distinct.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';
import { requireTimeZone } from '#server/wire/time-zones.ts';

/** The columns that a request sets. Absent means unchanged. */
export interface PointColumns {
  readonly name?: string;
  readonly type?: ProcessPoint_Type | null;
  readonly description?: string;
  readonly notes?: string;
  readonly timeZone?: string | null;
  readonly expectedTransmissionRate?: number | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

const MAX_METADATA_KEYS = 200;
/** The product's rule for metadata keys (spec 5). */
const METADATA_KEY = /^[a-z0-9_.-]+$/;

/**
 * Reads a new process point. A point without a name is named after its identifier, as a device is named after its
 * number.
 */
export function readNewPoint(
  { name, type, description, notes, timeZone, expectedTransmissionRate, metadata, location }: CreateProcessPoint,
  identifier: string,
): PointColumns & { readonly name: string; readonly metadata: Record<string, unknown> } {
  return {
    ...readColumns({ type, description, notes, timeZone, expectedTransmissionRate, location }),
    name: readName(name ?? '') || identifier,
    metadata: checkMetadata(metadata ?? {}),
  };
}

/** Reads an update. A default value clears its field, and an empty name becomes the identifier again. */
export function readUpdate(update: UpdateProcessPoint): PointColumns {
  const { updateName, location, removeLocation } = update;
  if (location !== undefined && removeLocation) {
    throw invalidArgument('Set either location or remove_location, not both.');
  }
  return {
    ...readColumns({
      type: update.updateType,
      description: update.updateDescription,
      notes: update.updateNotes,
      timeZone: update.updateTimeZone,
      expectedTransmissionRate: update.updateExpectedTransmissionRate,
      location,
    }),
    ...(updateName === undefined ? {} : { name: readName(updateName) }),
    ...(removeLocation ? { latitude: null, longitude: null } : {}),
  };
}

const readName = (name: string) => readEnteredText(name, 'The name of a process point', MAX_LENGTH.deviceName);

type Shared = Pick<
  CreateProcessPoint,
  'type' | 'description' | 'notes' | 'timeZone' | 'expectedTransmissionRate' | 'location'
>;

function readColumns({ type, description, notes, timeZone, expectedTransmissionRate, location }: Shared): PointColumns {
  return {
    // UNKNOWN is the default value, so it clears the type.
    ...(type === undefined ? {} : { type: type || null }),
    ...(description === undefined ? {} : { description: readText(description, 'The description') }),
    ...(notes === undefined ? {} : { notes: readText(notes, 'The notes') }),
    ...(timeZone === undefined ? {} : { timeZone: timeZone === '' ? null : requireTimeZone(timeZone) }),
    ...(expectedTransmissionRate === undefined
      ? {}
      : { expectedTransmissionRate: readRate(expectedTransmissionRate.value) }),
    ...(location === undefined ? {} : readLocation(location, 'The location')),
  };
}

function readText(text: string, subject: string): string {
  if (text.length > MAX_LENGTH.notes) {
    throw invalidArgument(`${subject} can have at most ${MAX_LENGTH.notes} characters, not ${text.length}.`);
  }
  return text;
}

const MAX_RATE = 2 ** 31 - 1;

function readRate(value: number): number | null {
  if (value > MAX_RATE) throw invalidArgument(`The expected transmission rate can be at most ${MAX_RATE} a day.`);
  return value || null;
}

/** Returns the metadata after an update. Removes keys first, and then adds values and text. */
export function newMetadata(
  before: PointRow['metadata'],
  { addMetadata, addMetadataText, removeMetadataKeys }: UpdateProcessPoint,
): Record<string, unknown> {
  const addedEntries = [
    ...Object.entries(addMetadata).map(([key, value]): [string, JsonValue] => [key, toJson(ValueSchema, value)]),
    ...Object.entries(addMetadataText),
  ];
  requireDistinct(
    addedEntries,
    ([key]) => key,
    ([key]) => `The metadata key "${shorten(key)}" is in both add_metadata and add_metadata_text. Use one of them.`,
  );
  const keptEntries = Object.entries(before).filter(([key]) => !removeMetadataKeys.includes(key));
  return checkMetadata(Object.fromEntries([...keptEntries, ...addedEntries]));
}

export const changesMetadata = ({ addMetadata, addMetadataText, removeMetadataKeys }: UpdateProcessPoint): boolean =>
  Object.keys(addMetadata).length + Object.keys(addMetadataText).length + removeMetadataKeys.length > 0;

function checkMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(metadata);
  const invalid = keys.find((key) => !METADATA_KEY.test(key));
  if (invalid !== undefined) {
    throw invalidArgument(
      `The metadata key "${shorten(invalid)}" isn't valid. Use lowercase letters, digits, underscores, dots, and dashes.`,
    );
  }
  if (keys.length > MAX_METADATA_KEYS) {
    throw invalidArgument(`A process point can have at most ${MAX_METADATA_KEYS} metadata keys, not ${keys.length}.`);
  }
  return metadata;
}
