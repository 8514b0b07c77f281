import { create } from '@bufbuild/protobuf';

import { orderFields } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { message } from '#commands/text/message.ts';
import { FieldService, UpdateFieldRequestSchema } from '#proto/gen/hiber/field_service_pb.ts';

import { fieldAttributes } from './attributes.ts';
import { field } from './entity.ts';
import { idOf, numericOf } from './item.ts';
import { fieldParams, createPreview, sampleParam } from './params.ts';

const { fields } = fieldAttributes;

/** The params that only numeric fields have. */
const NUMERIC: readonly string[] = ['unit', 'decimals', 'rounding'];

export const editField = editCommand({
  entity: field,
  verb: 'edit',
  target: 'fields',
  requires: 'MANAGE_PARSERS',
  keys: [LETTERS.edit],
  prompts: false,
  fields: orderFields(fields, ...Object.keys(fieldParams)),
  params: { sample: sampleParam },
  example: { unit: 'PRESSURE_PSI' },
  preview: (args) => ('decimals' in args || 'unit' in args ? createPreview(args) : undefined),
  // Tables and charts of devices and points show values in the units of fields.
  changed: ['field', 'parser', 'device', 'process-point'],
  problems: (items, values) => {
    const others = items.filter((item) => numericOf(item) === undefined);
    const name = NUMERIC.find((param) => values[param] !== undefined);
    if (name === undefined || others.length === 0) return {};
    return { [name]: message('field:validation.notNumeric', { name: field.label(others[0]!) }) };
  },
  size: 1,
  call: async ({ api, organization, signal }, [item], { newValues }) => {
    const update = create(UpdateFieldRequestSchema, { organization, fieldIdentifier: idOf(item!) });
    for (const [name, value] of Object.entries(newValues)) fields[name]!.write(update, value, item!);
    await api(FieldService).update(update, { signal });
  },
});
