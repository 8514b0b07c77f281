import { and, eq } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { processPointDevice } from '#server/db/schema/process-point.ts';
import { loadDeviceTags } from '#server/domains/fleet/device/model/subject.ts';
import { type EventTag, newEvent, presentTags } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';

import { type ExportFileRow, type ExportRow, presentExport } from './present.ts';

const types = {
  exportCreated: { type: EventType.EXPORT_CREATED, title: 'Export requested' },
  exportReady: { type: EventType.EXPORT_READY, title: 'Export ready' },
  exportFailed: { type: EventType.EXPORT_FAILED, title: 'Export failed' },
} as const;

/**
 * Records an event about an export. The tags of its devices are only in the envelope (contract: Event JSON shape).
 * Exports of hidden devices have no events, because these would name the devices to every member with EXPORT.
 */
export async function recordExportEvent(
  tx: Tx,
  happened: keyof typeof types,
  row: ExportRow,
  files: readonly ExportFileRow[],
  time: Date,
): Promise<void> {
  const { type, title } = types[happened];
  const { organization, hidden } = row;
  if (hidden) return;
  const event = newEvent(
    {
      organization,
      time,
      type,
      title,
      description: describe(happened, row),
      tags: presentTags(await loadTags(tx, row)),
    },
    (common) => ({ case: happened, value: { export: presentExport(row, files, time), ...common } }),
  );
  await recordEvents(tx, [event]);
}

function describe(happened: keyof typeof types, { name, kind, owners, rowsDone, error }: ExportRow): string {
  const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const content =
    kind === 'messages'
      ? `messages of ${counted(owners.length, 'device')}`
      : `values of ${counted(owners.length, 'process point')}`;
  switch (happened) {
    case 'exportCreated':
      return `The export "${name}" of the ${content} was requested.`;
    case 'exportReady':
      return `The export "${name}" of the ${content} is ready: ${counted(rowsDone, 'row')}.`;
    case 'exportFailed':
      return `The export "${name}" of the ${content} failed. ${error ?? ''}`.trim();
  }
}

async function loadTags(db: Executor, { organization, kind, owners }: ExportRow): Promise<EventTag[]> {
  const numbers = kind === 'messages' ? owners : await loadNumbers(db, organization, owners);
  const tags = await loadDeviceTags(db, organization, numbers);
  return [...new Map([...tags.values()].flat().map((tag) => [tag.id, tag])).values()];
}

async function loadNumbers(db: Executor, organization: string, points: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ number: processPointDevice.number })
    .from(processPointDevice)
    .where(and(eq(processPointDevice.organization, organization), anyOf(processPointDevice.point, points)));
  return rows.map(({ number }) => number);
}
