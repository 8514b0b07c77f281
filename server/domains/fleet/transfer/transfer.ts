import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { and, asc, eq, or } from 'drizzle-orm';

import { MAX_LENGTH, MAX_TRANSFER_DEVICES } from '#commands/text/lengths.ts';
import type { CreateOrganizationRequest } from '#proto/gen/hiber/organization_pb.ts';
import {
  type PerformTransfer_Request,
  PerformTransfer_RequestSchema,
  type PerformTransfer_Response,
  PerformTransfer_ResponseSchema,
} from '#proto/gen/hiber/transfer_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { newIdentifier } from '#server/db/ids.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import {
  type DeviceCriteria,
  readDeviceCriteria,
  selectsEverything,
} from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { loadDeviceTags } from '#server/domains/fleet/device/model/subject.ts';
import { deviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { prepareOrganization } from '#server/domains/people/organization/create.ts';
import { lockHealth } from '#server/domains/signals/health-level/device-health.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import type { EventTag } from '#server/events/new-event.ts';
import { resolveScope } from '#server/session/resolve.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { alreadyExists, failedPrecondition, invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

import { moveDevices } from './move.ts';
import { presentTransfer, type TransferRow } from './present.ts';
import { recordTransfer, type TransferredDevice } from './record.ts';

/**
 * Moves the selected devices to another organization, without their data, in a single transaction (contract: Transfer).
 * Concurrent messages for them are either stored before the transfer, and deleted by it, or rejected after it.
 */
export async function transferDevices(
  app: App,
  caller: Scope,
  request: PerformTransfer_Request,
): Promise<PerformTransfer_Response> {
  const now = app.now();
  const comment = readEnteredText(request.comment ?? '', 'The comment', MAX_LENGTH.transferComment);
  const criteria = readDeviceCriteria(request.type.value, now);
  // An omitted selection mustn't give away a whole fleet by accident (not specified in the contract).
  if (selectsEverything(criteria)) throw invalidArgument('Select the devices to transfer.');
  const findRecipient = await prepareRecipient(app, caller, request.recipientOrganizationOrCreate);
  const { row, numbers } = await app.db.transaction(async (tx) => {
    const sender = caller.organization;
    const recipient = await findRecipient(tx, now);
    const row: TransferRow = { identifier: newIdentifier('transfer'), sender, recipient, comment, createdAt: now };
    await lockOrganizations(tx, sender, recipient);
    const devices = await lockDevices(tx, caller, criteria);
    const numbers = devices.map(({ number }) => number);
    await requireAbsentFrom(tx, recipient, numbers);
    const tags = await loadTags(tx, sender, numbers);
    const [mildest] = await loadHealthLevels(tx, recipient);
    if (!mildest) throw failedPrecondition(`"${recipient}" has no health levels, so it can't have devices.`);
    await moveDevices(tx, { sender, recipient, healthLevel: mildest.level, numbers, now });
    await recordTransfer(tx, row, devices, tags);
    return { row, numbers };
  });
  return create(PerformTransfer_ResponseSchema, {
    transfer: presentTransfer(row, numbers),
    request: create(PerformTransfer_RequestSchema, { ...request, organization: caller.organization }),
  });
}

type Recipient = PerformTransfer_Request['recipientOrganizationOrCreate'];

/**
 * Checks the recipient, and returns a function that returns its id, and first creates it if the request asks for that.
 */
async function prepareRecipient(
  app: App,
  caller: Scope,
  recipient: Recipient,
): Promise<(tx: Tx, now: Date) => Promise<string>> {
  if (recipient.case === 'newOrganization') return prepareNewRecipient(app, caller, recipient.value);
  const id = recipient.value?.trim() ?? '';
  if (id === '') throw invalidArgument('Specify the organization that receives the devices.');
  if (id === caller.organization) {
    throw invalidArgument(`The devices are already in "${id}". Choose another organization to receive them.`);
  }
  // The same error as for an organization that does not exist.
  await resolveScope(app, caller.session, id);
  return () => Promise.resolve(id);
}

async function prepareNewRecipient(app: App, caller: Scope, request: CreateOrganizationRequest) {
  const { session } = caller;
  const parentId = request.parentOrganization.trim();
  const parent = parentId === '' ? caller : await resolveScope(app, session, parentId);
  // A support session covers only the sender.
  if (parent?.isSupportAccess && parent.organization !== caller.organization) {
    throw new ConnectError(
      `Your support session is for "${caller.organization}". Create the organization in a session for "${parent.organization}" first.`,
      Code.PermissionDenied,
    );
  }
  const insert = prepareOrganization(session, parent, request);
  return async (tx: Tx, now: Date) => (await insert(tx, now)).id;
}

/**
 * Locks both organizations against deletion, and then the health of their devices. The order is the same as in every
 * transaction that also locks devices.
 */
async function lockOrganizations(tx: Tx, sender: string, recipient: string): Promise<void> {
  const rows = await tx
    .select({ id: organization.id })
    .from(organization)
    .where(anyOf(organization.id, [sender, recipient]))
    .orderBy(asc(organization.id))
    .for('key share');
  for (const id of [sender, recipient]) {
    if (!rows.some((row) => row.id === id)) throw notFound(`The organization "${id}" no longer exists.`);
  }
  for (const { id } of rows) await lockHealth(tx, id, 'shared');
}

/** Locks the selected devices, and those that are connected to them, in number order. Returns the selected ones. */
async function lockDevices(tx: Tx, caller: Scope, criteria: DeviceCriteria): Promise<TransferredDevice[]> {
  const scope = deviceScope(caller);
  const selected = deviceWhere(scope, criteria);
  const candidates = await tx
    .select({ number: device.number })
    .from(device)
    .where(selected)
    .limit(MAX_TRANSFER_DEVICES + 1);
  if (candidates.length > MAX_TRANSFER_DEVICES) {
    throw invalidArgument(
      `The selection has more than ${MAX_TRANSFER_DEVICES} devices, the maximum for a transfer. Split it into several.`,
    );
  }
  await requireIncludedDevices(tx, scope, criteria, candidates);
  const numbers = candidates.map(({ number }) => number);
  await tx
    .select({ number: device.number })
    .from(device)
    .where(
      and(
        eq(device.organization, caller.organization),
        or(anyOf(device.number, numbers), anyOf(device.gateway, numbers)),
      ),
    )
    .orderBy(asc(device.number))
    .for('update');
  // Another transaction may have changed or transferred some of them in the meantime.
  const rows = await tx
    .select({ number: device.number, lifecycle: device.lifecycle })
    .from(device)
    .where(and(selected, anyOf(device.number, numbers)))
    .orderBy(asc(device.number));
  await requireIncludedDevices(tx, scope, criteria, rows);
  if (rows.length === 0) throw failedPrecondition('The selection matches no devices. Select at least one.');
  return rows.map(({ number, lifecycle }) => ({ number, hidden: isHidden(lifecycle) }));
}

/** Device numbers are unique among all organizations, so this protects only against data that breaks this rule. */
async function requireAbsentFrom(tx: Tx, recipient: string, numbers: readonly string[]): Promise<void> {
  const rows = await tx
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, recipient), anyOf(device.number, numbers)));
  if (rows.length === 0) return;
  const list = summarizeList(rows.map(({ number }) => number));
  throw alreadyExists(`"${recipient}" already has ${rows.length === 1 ? 'device' : 'devices'} ${list}.`);
}

/** Returns each tag of the devices once. */
async function loadTags(tx: Tx, sender: string, numbers: readonly string[]): Promise<EventTag[]> {
  const tags = await loadDeviceTags(tx, sender, numbers);
  return [...new Map([...tags.values()].flat().map((tag) => [tag.id, tag])).values()];
}
