import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Resolved } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { parser } from '#commands/nouns/data/parser/entity.ts';
import { definitionOf, idOf as parserIdOf } from '#commands/nouns/data/parser/item.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { FieldSchema } from '#proto/gen/hiber/field_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { Value_Type } from '#proto/gen/hiber/value_pb.ts';

import { field } from './entity.ts';
import { AS_SENT, idOf, toFormat, toWireUnit, typeLabels } from './item.ts';
import { fieldParams, createPreview, sampleParam } from './params.ts';

const TYPES = ['NUMERIC', 'TEXT', 'ENUM'] as const;

const createParams = {
  parser: required(p.ref(() => parser)),
  path: required(p.text({ maxLength: MAX_LENGTH.fieldPath, placeholder: 'level' })),
  type: p.choice(TYPES, { label: typeLabels.byName }),
  ...fieldParams,
  values: p.words({ maxLength: MAX_LENGTH.enumText }),
  optional: p.flag(),
  operational: p.flag(),
  encrypted: p.flag(),
  sample: sampleParam,
};

type CreateArgs = Resolved<typeof createParams>;

/** Returns the given type, or the one that the other arguments imply. */
function typeOf({ type, unit, decimals, rounding, values }: CreateArgs): (typeof TYPES)[number] {
  if (type !== undefined) return type;
  if (unit !== undefined || decimals !== undefined || rounding !== undefined) return 'NUMERIC';
  return values === undefined ? 'TEXT' : 'ENUM';
}

function toField(args: CreateArgs): MessageInitShape<typeof FieldSchema> {
  const { path, displayName, priority, optional, operational, encrypted, values = [] } = args;
  const type = typeOf(args);
  const shared = {
    field: path.trim(),
    type: Value_Type[type],
    ...(displayName ? { displayName: displayName.trim() } : {}),
    ...(priority === undefined ? {} : { priority }),
    optional,
    operational,
    encrypted,
  };
  if (type === 'ENUM') {
    const enumValues = values.map((value) => ({ value }));
    return { ...shared, details: { case: 'enum', value: { values: enumValues } } };
  }
  if (type === 'TEXT') return shared;
  const { unit, decimals = AS_SENT, rounding = 'HALF_UP' } = args;
  const wireUnit = unit === undefined ? undefined : toWireUnit(unit);
  return {
    ...shared,
    details: {
      case: 'numeric',
      value: { format: toFormat({ decimals, rounding }), ...(wireUnit ? { unit: { unit: wireUnit } } : {}) },
    },
  };
}

/** Notes that the field is missing from the parser's results, as far as its definition shows. */
async function missingNotes({ parser: item, path }: CreateArgs): Promise<readonly Message[]> {
  const { parseOutline } = await import('#commands/nouns/data/parser/outline.ts');
  const root = /^\$?\.?([\w-]+)/.exec(path.trim())?.[1];
  const { fields } = parseOutline(definitionOf(item) ?? '');
  const isMissing = root !== undefined && fields.length > 0 && !fields.includes(root);
  return isMissing ? [message('field:plan.missing', { path, fields: fields.join(', ') })] : [];
}

export const createField = createAction({
  entity: field,
  requires: 'MANAGE_PARSERS',
  keys: ['c f'],
  params: createParams,
  positional: ['parser', 'path'],
  preview: (args) => ('unit' in args || 'decimals' in args ? createPreview(args) : undefined),
  problems: (_context, args) => {
    const type = typeOf(args);
    if (type !== 'NUMERIC' && (args.unit ?? args.decimals ?? args.rounding) !== undefined)
      return { unit: message('field:validation.onlyNumeric') };
    return type !== 'ENUM' && args.values !== undefined ? { values: message('field:validation.onlyEnum') } : {};
  },
  nameOf: (args) => args.displayName || args.path,
  values: (args) => ({ parser: parser.label(args.parser) }),
  notes: (_context, args) => missingNotes(args),
  call: async ({ api, organization, signal }, args) => {
    const fields = [create(FieldSchema, toField(args))];
    const request = { organization, parserIdentifier: parserIdOf(args.parser), fields };
    const { dataFields } = await api(FieldService).add(request, { signal });
    const addedField = dataFields.find((item) => item.field === args.path.trim());
    return addedField && { id: idOf(addedField), label: field.label(addedField) };
  },
  undo: { verb: 'delete' },
  changed: ['parser'],
});

/** Deletes fields. This can't be undone, because a new field would have another identifier. */
export const deleteField = bulkAction({
  entity: field,
  verb: 'delete',
  effect: 'destructive',
  requires: 'MANAGE_PARSERS',
  keys: [LETTERS.remove],
  change: (item) => ({ field: message('field:fields.path'), before: item.field, after: undefined }),
  notes: () => [message('field:plan.deleteValues')],
  // A call can delete only fields of the same parser.
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    const { parserIdentifier, field: path } = item!;
    await api(FieldService).delete({ organization, parserIdentifier, fieldIdentifiers: [path] }, { signal });
  },
  changed: ['parser'],
});
