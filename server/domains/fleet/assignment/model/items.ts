/**
 * Reads the items on the two sides of a change to assignments. An empty selection is rejected (not specified in the
 * contract).
 */
import { and, eq, sql } from 'drizzle-orm';

import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { ModemMessageBodyParserSelection } from '#proto/gen/hiber/parser_pb.ts';
import type { TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import { parser } from '#server/db/schema/parser.ts';
import { tag } from '#server/db/schema/tag.ts';
import { notOwner, parserNotFound, parserWhere } from '#server/domains/data/parser/model/find.ts';
import {
  type DeviceCriteria,
  isUnset,
  selectsEverything,
  readModemCriteria,
} from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { deviceScope, deviceWhere, tagScope } from '#server/domains/fleet/device/model/where.ts';
import type { ItemTag } from '#server/domains/fleet/tag/item-tags.ts';
import { isCustomType } from '#server/domains/fleet/tag/label.ts';
import { accessIn, canReach } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { describeMissing, invalidArgument, notFound } from '#server/wire/errors.ts';

const emptySelection = (items: string) =>
  invalidArgument(`Select the ${items}. An empty selection would affect all of them.`);

export const modemNumbers = (
  tx: Tx,
  caller: Scope,
  selection: ModemSelection | undefined,
  now: Date,
): Promise<string[]> => selectDeviceNumbers(tx, caller, readModemCriteria(selection, now));

/** Finds the numbers of the selected devices, in order. */
export async function selectDeviceNumbers(tx: Tx, caller: Scope, criteria: DeviceCriteria): Promise<string[]> {
  if (selectsEverything(criteria)) throw emptySelection('devices');
  const scope = deviceScope(caller);
  await requireIncludedDevices(tx, scope, criteria);
  const rows = await tx
    .select({ number: device.number })
    .from(device)
    .where(deviceWhere(scope, criteria))
    .orderBy(device.number);
  return rows.map(({ number }) => number);
}

/** Returns the selected tags, sorted by id. Tags of a custom type require CUSTOM_TAGS, as on a device. */
export async function selectTags(tx: Tx, caller: Scope, selection: TagSelection | undefined): Promise<ItemTag[]> {
  if (isUnset(selection)) throw emptySelection('tags');
  const rows = await tx
    .select({ id: tag.id, name: tag.name, type: tag.type })
    .from(tag)
    .where(and(eq(tag.organization, caller.organization), tagWhere(tagScope(deviceScope(caller)), selection)))
    .orderBy(tag.id);
  const missingIds = (selection?.filter?.include ?? []).map(Number).filter((id) => !rows.some((row) => row.id === id));
  if (missingIds.length > 0)
    throw notFound(`${caller.organization} has ${describeMissing('tag with id', missingIds, 'tags with ids')}.`);
  if (rows.some(({ type }) => isCustomType(type))) caller.require('CUSTOM_TAGS');
  return rows;
}

/** A parser to assign. */
export interface LinkedParser {
  readonly identifier: string;
  /** The organization that owns it. */
  readonly owner: string;
}

/**
 * Returns the selected parsers, locked: no foreign key prevents that one is deleted before it is assigned. Only the
 * organization that owns a parser may assign it, acting in the organization of the devices (contract:
 * AssignmentService).
 */
export async function selectParsers(
  tx: Tx,
  caller: Scope,
  selection: ModemMessageBodyParserSelection | undefined,
): Promise<LinkedParser[]> {
  if (isUnset(selection)) throw emptySelection('parsers');
  const rows = await tx
    .select({
      identifier: parser.identifier,
      name: parser.name,
      owner: parser.organization,
      ownerPath: sql<string[]>`${organization.path}`,
    })
    .from(parser)
    .innerJoin(organization, eq(organization.id, parser.organization))
    .where(parserWhere(caller.organization, selection))
    .orderBy(parser.identifier)
    .for('key share', { of: parser });
  const missingIdentifiers = (selection?.identifiers ?? []).filter(
    (id) => !rows.some(({ identifier }) => identifier === id),
  );
  if (missingIdentifiers.length > 0) throw parserNotFound(caller.organization, missingIdentifiers);
  const foreignRow = rows.find(
    ({ owner, ownerPath }) => owner !== caller.organization && !managesParsers(caller, owner, ownerPath),
  );
  if (foreignRow !== undefined) throw notOwner(foreignRow.name, foreignRow.owner, 'assign or unassign it');
  return rows.map(({ identifier, owner }) => ({ identifier, owner }));
}

function managesParsers({ session }: Scope, id: string, path: readonly string[]): boolean {
  return canReach(session, { id, path }) && accessIn(session, id, path).permissions.has('MODEMS_MESSAGE_BODY_PARSERS');
}
