import { and, eq } from 'drizzle-orm';

import type { Field } from '#proto/gen/hiber/field_pb.ts';
import {
  type UpdateFieldEnumValues,
  type UpdateFieldNumericDetails,
  type UpdateFieldRequest,
} from '#proto/gen/hiber/field_service_pb.ts';
import { Value_Type } from '#proto/gen/hiber/value_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { type FieldRow, presentField, readDisplayName, readFormat } from '#server/domains/data/parser/model/fields.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { changeParser } from '#server/domains/data/parser/write.ts';
import { currentOrDeprecated } from '#server/domains/signals/notification/event-filters.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument, notFound } from '#server/wire/errors.ts';
import { readUnit } from '#server/wire/numeric.ts';
import { shorten } from '#server/wire/text.ts';

import { updateEnumValues } from './enum-values.ts';
import { withParser } from './list.ts';

type Columns = Partial<FieldRow>;

/** Changes a field of a parser that the caller's organization owns. */
export async function updateField(
  app: App,
  caller: Scope,
  identifier: string,
  read: (row: FieldRow) => Columns,
): Promise<Field> {
  const { organization } = caller;
  const [row] = await app.db.orm
    .select({ parser: parserField.parser })
    .from(parserField)
    .innerJoin(parser, withParser)
    .where(and(usableBy(organization), eq(parserField.identifier, identifier)));
  if (row === undefined) throw notFound(`${organization} has no field "${shorten(identifier)}".`);
  let updatedField: Field | undefined;
  await changeParser(app, caller, row.parser, async (tx, parserRow) => {
    const before = await lockField(tx, organization, identifier);
    const columns = read(before);
    const hasChanges = Object.keys(columns).length > 0;
    const row = hasChanges ? await storeField(tx, before, columns) : before;
    updatedField = presentField(row, parserRow);
    return { columns: {}, change: { changed: hasChanges ? [`field ${shorten(row.field)}`] : [] } };
  });
  return updatedField as unknown as Field;
}

async function lockField(tx: Tx, organization: string, identifier: string): Promise<FieldRow> {
  const [row] = await tx
    .select()
    .from(parserField)
    .where(and(eq(parserField.organization, organization), eq(parserField.identifier, identifier)))
    .for('update');
  // It was deleted in the meantime.
  if (row === undefined) throw notFound(`${organization} has no field "${shorten(identifier)}".`);
  return row;
}

async function storeField(tx: Tx, before: FieldRow, columns: Columns): Promise<FieldRow> {
  const [row] = await tx
    .update(parserField)
    .set(columns)
    .where(
      and(
        eq(parserField.organization, before.organization),
        eq(parserField.parser, before.parser),
        eq(parserField.identifier, before.identifier),
      ),
    )
    .returning();
  return row as FieldRow;
}

/** Reads an update. Absent means unchanged. */
export function readUpdate(row: FieldRow, request: UpdateFieldRequest): Columns {
  const displayName = currentOrDeprecated(request.displayName, request.deprecatedDisplayName, '');
  const priority = currentOrDeprecated(request.priority, request.deprecatedPriority, 0);
  const encrypted = currentOrDeprecated(request.encrypted, request.deprecatedEncrypted, false);
  const optional = currentOrDeprecated(request.optional, request.deprecatedOptional, false);
  const { operational, updateDetails } = request;
  if (priority !== undefined && priority > MAX_PRIORITY) {
    throw invalidArgument(`The priority ${priority} is too large. Use at most ${MAX_PRIORITY}.`);
  }
  return {
    ...(displayName === undefined ? {} : { displayName: readDisplayName(row.field, displayName) }),
    ...(priority === undefined ? {} : { priority }),
    ...(encrypted === undefined ? {} : { encrypted }),
    ...(optional === undefined ? {} : { optional }),
    ...(operational === undefined ? {} : { operational }),
    ...(updateDetails.case === 'numeric' ? readNumericUpdate(row, updateDetails.value) : {}),
    ...(updateDetails.case === 'enum' ? readEnumUpdate(row, updateDetails.value) : {}),
  };
}

/** Field.priority is an int32. */
const MAX_PRIORITY = 2 ** 31 - 1;

export function readNumericUpdate(row: FieldRow, update: UpdateFieldNumericDetails | undefined): Columns {
  requireType(row, Value_Type.NUMERIC, 'a numeric');
  const { replaceUnit, replaceFormat } = update ?? {};
  const columns: Columns = {};
  if (replaceUnit !== undefined) {
    const quantity = readUnit(replaceUnit);
    if (quantity === undefined) throw invalidArgument(`Choose the new unit of the field ${shorten(row.field)}.`);
    Object.assign(columns, { numericType: quantity.type, unit: quantity.unit });
  }
  if (replaceFormat !== undefined) columns.format = readFormat(row.field, replaceFormat);
  return columns;
}

export function readEnumUpdate(row: FieldRow, update: UpdateFieldEnumValues | undefined): Columns {
  requireType(row, Value_Type.ENUM, 'an enum');
  return update === undefined ? {} : { enumValues: updateEnumValues(row.field, row.enumValues ?? [], update) };
}

function requireType({ field, type }: FieldRow, expected: Value_Type, kind: string): void {
  if (type !== expected) throw failedPrecondition(`The field ${shorten(field)} isn't ${kind} field.`);
}
