import type { Context } from '#commands/model/context.ts';
import type { ValueOwner, ValueOwners } from '#commands/model/values.ts';
import { toMs } from '#commands/model/wire.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { Value_Type } from '#proto/gen/hiber/value_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';

import { declaredUnitOf } from './field-labels.ts';
import { valueText } from './value-text.ts';

/** A field of a device or process point, with its newest value. */
export interface FieldValue {
  /** The path of the field, which identifies it in arguments and addresses. */
  readonly field: string;
  readonly name: string;
  readonly isNumeric: boolean;
  /** The symbol of the unit in the user's preferences. Empty if the field has no unit. */
  readonly unit: string;
  /** The newest value in the user's format, without its unit. Absent if there is none. */
  readonly text?: string;
  /** The color of the newest value, if it is a choice with a color. */
  readonly color?: string;
  /** When the newest value was measured, in ms since the epoch. */
  readonly time?: number;
  /** True for a field about the device itself, such as its battery, instead of a measurement. */
  readonly isOperational: boolean;
  readonly isEncrypted: boolean;
}

/** Returns the fields of the selected devices or process points, each once, those with a higher priority first. */
export async function loadFields(
  context: Context,
  organization: string,
  owners: ValueOwners,
): Promise<readonly Field[]> {
  const shared = {
    organization,
    // Process points have no operational values.
    fieldSelection: { includeOperational: owners.case === 'devices' },
    applyUnitPreferences: true,
    includeTotal: true,
    pagination: { size: 1 },
  };
  const options = { signal: context.signal };
  const fields = context.api(FieldService);
  const { total } =
    owners.case === 'devices'
      ? await fields.forModem({ ...shared, modemSelection: owners.value }, options)
      : await fields.forProcessPoint(
          { ...shared, processPointSelection: owners.value, includeHistoricFields: true },
          options,
        );
  return [...total].sort((a, b) => b.priority - a.priority);
}

/** True if the user may see the fields of devices or process points (contract: FieldService). */
export function maySeeFields({ actor: { abilities } }: Context, owners: ValueOwners['case']): boolean {
  if (owners === 'processPoints') return abilities.has('VIEW_POINT_VALUES');
  return abilities.has('VIEW_DEVICES') && abilities.has('VIEW_MESSAGES');
}

/**
 * Loads the fields of a device or process point, each with its newest value. Fields with a higher priority come first.
 * A value whose field is no longer declared comes last.
 */
export async function loadFieldValues(context: Context, owner: ValueOwner): Promise<readonly FieldValue[]> {
  const { organization, selection } = owner;
  const [fields, values] = await Promise.all([
    maySeeFields(context, selection.case) ? loadFields(context, organization, selection) : [],
    loadAllPages(async (pagination) => {
      const request = {
        organization,
        selection: { ownerSelection: selection, includeOperationalData: true },
        pagination,
      };
      const response = await context.api(ValueService).latest(request, { signal: context.signal });
      return { items: response.values, pagination: response.pagination };
    }),
  ]);
  const valueByField = new Map(values.map((value) => [value.field, value]));
  const fieldByPath = new Map(fields.toReversed().map((field) => [field.field, field]));
  const paths = [...new Set([...fields.map(({ field }) => field), ...values.map(({ field }) => field)])];
  return paths.map((path): FieldValue => {
    const field = fieldByPath.get(path);
    const value = valueByField.get(path);
    const text = value && valueText(value);
    const time = toMs(value?.time);
    return {
      field: path,
      name: field?.displayName || path,
      isNumeric: text ? text.number !== undefined : field?.type === Value_Type.NUMERIC,
      unit: text?.unit || declaredUnit(field),
      ...(text ? { text: text.text } : {}),
      ...(text?.color === undefined ? {} : { color: text.color }),
      ...(time === undefined ? {} : { time }),
      isOperational: field?.operational ?? false,
      isEncrypted: field?.encrypted ?? false,
    };
  });
}

function declaredUnit(field: Field | undefined): string {
  return field?.details.case === 'numeric' && field.details.value.unit
    ? (declaredUnitOf(field.details.value.unit)?.symbol ?? '')
    : '';
}
