import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import {
  type UpdateModemTagsRequest,
  type UpdateModemTagsRequest_Response,
  UpdateModemTagsRequest_ResponseSchema,
  UpdateModemTagsRequestSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag } from '#server/db/schema/tag.ts';
import { type ItemTag, readTagChange, type TagChange } from '#server/domains/fleet/tag/item-tags.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { readModemCriteria } from './model/criteria.ts';
import { deviceUpdated } from './model/events.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { loadDevices } from './model/list.ts';
import type { DeviceKey } from './model/listed-device.ts';
import { presentModem, createViewer } from './model/present.ts';
import { loadDeviceSubjects } from './model/subject.ts';
import { deviceScope, deviceWhere } from './model/where.ts';

/**
 * Adds, removes, and creates tags on the selected devices. The number of statements does not depend on the number of
 * devices. Pagination affects only the response, which lists the devices by number.
 */
export async function updateModemTags(
  app: App,
  caller: Scope,
  request: UpdateModemTagsRequest,
): Promise<UpdateModemTagsRequest_Response> {
  const now = app.now();
  const { organization } = caller;
  const scope = deviceScope(caller);
  const criteria = readModemCriteria(request.selection, now);
  const requestedPage = readPage(request.pagination);
  const { total, devices } = await app.db.transaction(async (tx) => {
    const change = await readTagChange(tx, caller, request.update);
    // Read the keys first because the change can move devices into or out of the selection.
    const keys: DeviceKey[] = await tx
      .select({ organization: device.organization, number: device.number })
      .from(device)
      .where(deviceWhere(scope, criteria))
      .orderBy(device.number);
    await requireIncludedDevices(tx, scope, criteria, keys);
    await changeTags(
      tx,
      organization,
      keys.map(({ number }) => number),
      change,
      now,
    );
    const pageKeys = keys.slice(requestedPage.offset, requestedPage.offset + requestedPage.limit);
    return { total: keys.length, devices: await loadDevices(tx, scope, pageKeys, now) };
  });
  const viewer = createViewer(app, caller, now);
  return create(UpdateModemTagsRequest_ResponseSchema, {
    modems: devices.map((device) => presentModem(device, viewer)),
    request: create(UpdateModemTagsRequestSchema, {
      ...request,
      organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total),
  });
}

/**
 * Changes the devices' tags and records an event for each device whose tags have changed.
 *
 * @param since when the new links start
 * @returns the new links, and the removed ones
 */
export async function changeTags(
  tx: Tx,
  organization: string,
  numbers: string[],
  change: TagChange,
  now: Date,
  since = now,
): Promise<{ readonly added: readonly DeviceTagLink[]; readonly removed: readonly DeviceTagLink[] }> {
  if (numbers.length === 0) return { added: [], removed: [] };
  const phrases = new Map<string, string[]>();
  const addPhrases = (rows: { number: string; tag: number }[], tags: ItemTag[], verb: string) => {
    const names = new Map(tags.map(({ id, name }) => [id, name]));
    for (const { number, tag } of rows) {
      phrases.set(number, [...(phrases.get(number) ?? []), `tag "${names.get(tag)}" ${verb}`]);
    }
  };
  const addedLinks = await assign(tx, organization, numbers, change.add, since);
  const removed = await unassign(tx, organization, numbers, change.remove);
  addPhrases(addedLinks, change.add, 'added');
  addPhrases(removed, change.remove, 'removed');
  const subjects = await loadDeviceSubjects(tx, organization, [...phrases.keys()]);
  await recordEvents(
    tx,
    [...subjects.values()].map((subject) =>
      deviceUpdated(subject, now, { changed: phrases.get(subject.number) ?? [] }),
    ),
  );
  return { added: addedLinks, removed };
}

export type DeviceTagLink = { number: string; tag: number };

async function assign(
  tx: Tx,
  organization: string,
  numbers: string[],
  tags: ItemTag[],
  since: Date,
): Promise<DeviceTagLink[]> {
  if (tags.length === 0) return [];
  const { rows } = await tx.execute<DeviceTagLink>(sql`
    insert into ${deviceTag} (organization, number, tag, since)
    select ${organization}, number, tag, ${since.toISOString()}::timestamptz
      from unnest(${sql.param(numbers)}::text[]) as number
     cross join unnest(${sql.param(tags.map(({ id }) => id))}::bigint[]) as tag
    on conflict do nothing returning number, tag`);
  return rows;
}

async function unassign(tx: Tx, organization: string, numbers: string[], tags: ItemTag[]): Promise<DeviceTagLink[]> {
  if (tags.length === 0) return [];
  const { rows } = await tx.execute<DeviceTagLink>(sql`
    delete from ${deviceTag} where organization = ${organization}
       and number = any(${sql.param(numbers)}::text[])
       and tag = any(${sql.param(tags.map(({ id }) => id))}::bigint[])
    returning number, tag`);
  return rows;
}
