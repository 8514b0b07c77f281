import type { ProcessPoint } from '#proto/gen/hiber/process_point_pb.ts';
import type { UpdateProcessPoint } from '#proto/gen/hiber/process_point_service_pb.ts';

import { changesMetadata } from './changes.ts';
import type { PointChange } from './model/events.ts';

export function changedPhrases(update: UpdateProcessPoint): string[] {
  const phrases: [unknown, string][] = [
    [update.updateName, 'name'],
    [update.updateType, 'type'],
    [update.updateDescription, 'description'],
    [update.updateNotes, 'notes'],
    [update.updateTimeZone, 'time zone'],
    [update.updateExpectedTransmissionRate, 'expected transmission rate'],
    [changesMetadata(update) || undefined, 'metadata'],
    [update.location ?? (update.removeLocation || undefined), 'location'],
    [update.addFiles.length + update.deleteFiles.length || undefined, 'files'],
  ];
  return phrases.filter(([value]) => value !== undefined).map(([, phrase]) => phrase);
}

/** Returns the changed fields with their new values. */
export function updatedFields(point: ProcessPoint, update: UpdateProcessPoint): PointChange['updated'] {
  const hasFiles = update.addFiles.length + update.deleteFiles.length > 0;
  return {
    ...(update.updateName === undefined ? {} : { name: point.name }),
    ...(update.updateType === undefined ? {} : { type: point.type ?? 0 }),
    ...(update.updateDescription === undefined ? {} : { description: point.description ?? '' }),
    ...(update.updateNotes === undefined ? {} : { notes: point.notes ?? '' }),
    ...(update.updateTimeZone === undefined ? {} : { timeZone: point.timeZone ?? '' }),
    ...(update.updateExpectedTransmissionRate === undefined
      ? {}
      : { expectedTransmissionRate: point.expectedTransmissionRate?.value ?? 0 }),
    ...(changesMetadata(update) ? { metadata: point.metadata ?? {} } : {}),
    ...(update.location === undefined ? {} : { location: point.location }),
    ...(hasFiles ? { files: point.files } : {}),
  };
}
