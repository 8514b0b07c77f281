import { create } from '@bufbuild/protobuf';
import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import {
  type TransferHistory_Request,
  type TransferHistory_Request_TransferSelection,
  TransferHistory_RequestSchema,
  type TransferHistory_Response,
  TransferHistory_ResponseSchema,
} from '#proto/gen/hiber/transfer_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import { isAmong } from '#server/db/is-among.ts';
import { device } from '#server/db/schema/device.ts';
import { transfer, transferDevice } from '#server/db/schema/transfer.ts';
import {
  type DeviceCriteria,
  readDeviceCriteria,
  selectsEverything,
} from '#server/domains/fleet/device/model/criteria.ts';
import { deviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, paginationResult, readPage } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

import { presentTransfer } from './present.ts';

/** Each transfer lists all of its devices, so a page can be large. */
const page = { default: 50, max: 100 };

/** Lists the organization's transfers, newest first. */
export async function listTransfers(
  { db: { orm }, now }: App,
  caller: Scope,
  request: TransferHistory_Request,
): Promise<TransferHistory_Response> {
  const requestedPage = readPage(request.pagination, page);
  const where = and(
    eq(transfer.organization, caller.organization),
    hasDevice(visibleDevices(caller)),
    selectedTransfers(caller, request.selection, now()),
  );
  const rows = await orm
    .select()
    .from(transfer)
    .where(where)
    .orderBy(desc(transfer.createdAt), desc(transfer.identifier))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const total = await orm.$count(transfer, where);
  const devices = await orm
    .select({ transfer: transferDevice.transfer, number: transferDevice.number })
    .from(transferDevice)
    .where(
      and(
        eq(transferDevice.organization, caller.organization),
        anyOf(
          transferDevice.transfer,
          rows.map(({ identifier }) => identifier),
        ),
        visibleDevices(caller),
      ),
    )
    .orderBy(asc(transferDevice.number));
  const devicesByTransfer = groupBy(devices, (row) => row.transfer);
  return create(TransferHistory_ResponseSchema, {
    transferHistory: rows.map((row) =>
      presentTransfer(
        row,
        (devicesByTransfer.get(row.identifier) ?? []).map(({ number }) => number),
      ),
    ),
    request: create(TransferHistory_RequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total),
  });
}

/** Returns a condition on rows of `transfer_device`: the device was in a lifecycle that the caller may see. */
const visibleDevices = ({ allLifecycles }: Scope): SQL | undefined =>
  allLifecycles ? undefined : eq(transferDevice.hidden, false);

/** Returns a condition on rows of `transfer`: one of its devices matches. */
const hasDevice = (condition: SQL | undefined): SQL =>
  sql`exists (select 1 from ${transferDevice} where ${and(
    eq(transferDevice.organization, transfer.organization),
    eq(transferDevice.transfer, transfer.identifier),
    condition,
  )})`;

function selectedTransfers(
  caller: Scope,
  selection: TransferHistory_Request_TransferSelection | undefined,
  now: Date,
): SQL | undefined {
  if (selection === undefined) return undefined;
  const { receivedOnly, sentOnly, identifiers, search } = selection;
  if (receivedOnly && sentOnly) {
    throw invalidArgument('A selection can have received_only or sent_only, not both. Leave out both to see all.');
  }
  const { start, end } = readTimeRange(selection.timeRange, now);
  return and(
    receivedOnly ? eq(transfer.recipient, caller.organization) : undefined,
    sentOnly ? eq(transfer.sender, caller.organization) : undefined,
    identifiers.length > 0 ? anyOf(transfer.identifier, identifiers) : undefined,
    start && gte(transfer.createdAt, start),
    end && lte(transfer.createdAt, end),
    selection.selection.value && withDevices(caller, readDeviceCriteria(selection.selection.value, now)),
    matchesSearch(caller, search?.trim() ?? ''),
  );
}

/**
 * Matches transfers of any of the devices. The numbers also match devices that the organization no longer has. The
 * organization doesn't know anything else about those, so all other criteria match only the devices that it has now.
 */
function withDevices(caller: Scope, criteria: DeviceCriteria): SQL | undefined {
  if (selectsEverything(criteria)) return undefined;
  const { numbers, ...otherCriteria } = criteria;
  const isListed = and(
    visibleDevices(caller),
    numbers.include.length > 0 ? anyOf(transferDevice.number, numbers.include) : undefined,
    numbers.exclude.length > 0 ? sql`not ${anyOf(transferDevice.number, numbers.exclude)}` : undefined,
  );
  if (selectsEverything({ ...otherCriteria, numbers: { include: [], exclude: [] } })) return hasDevice(isListed);
  const current = sql`select ${device.number} from ${device} where ${deviceWhere(deviceScope(caller), criteria)}`;
  return hasDevice(and(isListed, isAmong(transferDevice.number, current)));
}

/** Requires every word to match the identifier, an organization, the comment, or a device (not specified). */
function matchesSearch(caller: Scope, search: string): SQL | undefined {
  const words = [...new Set(search.split(/\s+/).filter(Boolean))];
  return and(
    ...words.map((word) => {
      const pattern = substringPattern(word);
      const text = sql`concat_ws(' ', ${transfer.identifier}, ${transfer.sender}, ${transfer.recipient}, ${transfer.comment})`;
      const number = sql`replace(${transferDevice.number}, ' ', '')`;
      return sql`(${text} ilike ${pattern} or ${hasDevice(
        and(visibleDevices(caller), sql`(${transferDevice.number} ilike ${pattern} or ${number} ilike ${pattern})`),
      )})`;
    }),
  );
}
