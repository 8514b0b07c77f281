import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import {
  Field_Numeric_FormatSchema,
  Field_Numeric_UnitSchema,
  type Field,
  type Field_Numeric_Format,
} from '#proto/gen/hiber/field_pb.ts';
import {
  UpdateFieldNumericDetailsSchema,
  type FieldSelection,
  type UpdateFieldNumericDetails,
  type UpdateFieldRequest,
} from '#proto/gen/hiber/field_service_pb.ts';
import { Value_Numeric_Type, Value_Type } from '#proto/gen/hiber/value_pb.ts';

import {
  enumValuesOf,
  formatNamesOf,
  idOf,
  numericOf,
  toFormat,
  toWireUnit,
  typeLabels,
  unitNameOf,
  unitText,
  type FormatNames,
} from './item.ts';
import { decimalsText, fieldParams, formatText } from './params.ts';

interface FieldField extends EditableField<Field> {
  /** Writes the value into the contract's update of one field. */
  write(update: UpdateFieldRequest, value: ArgValue, item: Field): void;
}

const EDIT = 'field.edit';

function numericUpdate(update: UpdateFieldRequest): UpdateFieldNumericDetails {
  if (update.updateDetails.case === 'numeric') return update.updateDetails.value;
  const value = create(UpdateFieldNumericDetailsSchema);
  update.updateDetails = { case: 'numeric', value };
  return value;
}

/** Changes a part of a field's format. The contract replaces the whole format. */
function changeFormat(update: UpdateFieldRequest, change: Partial<FormatNames>, item: Field): void {
  const numericDetails = numericUpdate(update);
  const before: Field_Numeric_Format | undefined = numericDetails.replaceFormat ?? numericOf(item)?.format;
  numericDetails.replaceFormat = create(Field_Numeric_FormatSchema, toFormat({ ...formatNamesOf(before), ...change }));
}

const flagText = (value: boolean) => (value ? message('common:yes') : undefined);

function flag(name: 'optional' | 'encrypted' | 'operational', width: number) {
  return {
    kind: 'text' as const,
    value: (item: Field) => flagText(item[name]),
    column: { width },
    detail: { group: 'state' as const, value: (item: Field) => message(item[name] ? 'common:yes' : 'common:no') },
    edit: EDIT,
    field: {
      param: p.optionalFlag(),
      current: (item: Field) => item[name],
      write: (update: UpdateFieldRequest, value: ArgValue) => (update[name] = value as boolean),
    },
  };
}

const formatOf = (item: Field) => {
  const numericDetails = numericOf(item);
  return numericDetails && formatText(formatNamesOf(numericDetails.format));
};

/** A table has room for the decimals only; the panel adds the rounding. */
const decimalsOf = (item: Field) => {
  const numericDetails = numericOf(item);
  return numericDetails && decimalsText(formatNamesOf(numericDetails.format).decimals);
};

const TYPES = p.names(Value_Type, ['OTHER']);
const NUMERIC_TYPES = p.names(Value_Numeric_Type, ['TYPE_UNKNOWN']);

export const fieldAttributes = attributes<Field, FieldSelection, FieldField>({
  name: {
    kind: 'text',
    value: ({ displayName }) => displayName,
    column: { width: 120, comfortableWidth: 170, grow: 2, sort: 'name' },
    detail: 'identity',
    edit: EDIT,
    param: 'displayName',
    field: {
      param: fieldParams.displayName,
      current: ({ displayName }) => displayName ?? '',
      write: (update, value) => (update.displayName = (value as string).trim()),
    },
  },
  path: {
    kind: 'mono',
    value: ({ field }) => field,
    column: { width: 120, comfortableWidth: 170, grow: 2, sort: 'path' },
    detail: 'about',
  },
  parser: {
    kind: 'text',
    value: ({ parserName }) => parserName,
    links: ({ parserName, parserIdentifier }) => [{ entity: 'parser', id: parserIdentifier, name: parserName }],
    column: { width: 120, comfortableWidth: 170, grow: 2, sort: 'parser' },
    detail: 'owner',
  },
  type: {
    kind: 'text',
    value: ({ type }) => typeLabels.text(type),
    column: { width: 74, sort: 'type' },
    detail: 'about',
    filter: {
      kind: 'choice',
      options: TYPES,
      label: typeLabels.byName,
      pluralMessage: message('field:filter.several'),
      apply: (selection, term) => {
        const types = valuesOf(term).map((name) => Value_Type[name as keyof typeof Value_Type]);
        selection.types = intersectValues(selection.types, types, term.key);
      },
    },
  },
  unit: {
    kind: 'text',
    value: (item) => numericOf(item)?.unit?.symbol || undefined,
    column: { width: 62, sort: 'unit' },
    detail: {
      group: 'state',
      value: (item) => {
        const name = unitNameOf(item);
        return name === undefined ? undefined : unitText(name);
      },
    },
    edit: EDIT,
    key: 'quantity',
    filter: {
      kind: 'choice',
      options: NUMERIC_TYPES,
      label: (name) => message(`field:numericType.${name}`),
      pluralMessage: message('field:filter.severalQuantities'),
      apply: (selection, term) => {
        const types = valuesOf(term).map((name) => Value_Numeric_Type[name as keyof typeof Value_Numeric_Type]);
        selection.numericTypes = intersectValues(selection.numericTypes, types, term.key);
      },
    },
    field: {
      param: fieldParams.unit,
      current: unitNameOf,
      write: (update, value) => {
        const unit = toWireUnit(value as string);
        if (unit) numericUpdate(update).replaceUnit = create(Field_Numeric_UnitSchema, { unit });
      },
    },
  },
  decimals: {
    kind: 'text',
    value: formatOf,
    column: { width: 92, value: decimalsOf },
    detail: { group: 'state', fields: ['decimals', 'rounding'] },
    edit: EDIT,
    field: {
      param: fieldParams.decimals,
      current: (item) => numericOf(item) && formatNamesOf(numericOf(item)?.format).decimals,
      write: (update, value, item) => changeFormat(update, { decimals: value as string }, item),
    },
  },
  rounding: {
    field: {
      param: fieldParams.rounding,
      current: (item) => numericOf(item) && formatNamesOf(numericOf(item)?.format).rounding,
      write: (update, value, item) => changeFormat(update, { rounding: value as string }, item),
    },
  },
  values: {
    kind: 'text',
    value: (item) =>
      enumValuesOf(item)
        .map(({ value, displayName }) => displayName || value)
        .join(', ') || undefined,
    column: { width: 110, comfortableWidth: 190, grow: 2 },
    detail: 'state',
  },
  priority: {
    kind: 'number',
    value: ({ priority }) => String(priority),
    column: { width: 58 },
    detail: 'state',
    edit: EDIT,
    field: {
      param: fieldParams.priority,
      current: ({ priority }) => priority,
      write: (update, value) => (update.priority = value as number),
    },
  },
  optional: flag('optional', 68),
  operational: flag('operational', 86),
  encrypted: flag('encrypted', 76),
  id: {
    kind: 'mono',
    value: idOf,
    detail: 'about',
    filter: {
      kind: 'text',
      canonical: (text) => text.replace(/^#/, ''),
      apply: (selection, term) => {
        selection.fieldIdentifiers = intersectValues(selection.fieldIdentifiers, valuesOf(term), term.key);
      },
    },
  },
});
