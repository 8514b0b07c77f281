import type { MessageInitShape } from '@bufbuild/protobuf';

import { command, type Command } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import { isColor } from '#commands/text/color.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { FieldService, type UpdateFieldEnumValuesSchema } from '#proto/gen/hiber/field_service_pb.ts';
import { Value_Type, type Value_Enum } from '#proto/gen/hiber/value_pb.ts';

import { field } from './entity.ts';
import { enumValuesOf, idOf } from './item.ts';

const text = p.text({ clears: true, maxLength: MAX_LENGTH.enumText });

/** The settings of an enum value. */
const valueParams = {
  name: text,
  description: text,
  color: p.text({
    clears: true,
    maxLength: MAX_LENGTH.enumText,
    placeholder: '#2e7d32',
    check: (value) =>
      value.trim() === '' || isColor(value) ? undefined : message('core:validation.color', { value: value.trim() }),
  }),
  priority: p.number({ integer: true, min: 0, max: 2 ** 31 - 1 }),
};

type Update = MessageInitShape<typeof UpdateFieldEnumValuesSchema>;

function requireEnum(item: Field): void {
  if (item.type !== Value_Type.ENUM)
    throw new CommandError(message('field:validation.notEnum', { name: field.label(item) }), 'field');
}

function requireEnumValue(item: Field, value: string): Value_Enum {
  requireEnum(item);
  const match = enumValuesOf(item).find((enumValue) => enumValue.value === value);
  if (match) return match;
  const values = enumValuesOf(item)
    .map((enumValue) => enumValue.value)
    .join(', ');
  throw new CommandError(message('field:validation.noValue', { value, name: field.label(item), values }), 'value');
}

const createPlan = (item: Field, summary: Message, change: Omit<Change, 'id' | 'label' | 'field'>): Plan => ({
  summary,
  count: 1,
  changes: [{ id: idOf(item), label: field.label(item), field: message('field:fields.values'), ...change }],
  reversible: true,
});

async function send({ api, organization, signal }: RunContext, item: Field, update: Update, doneMessage: Message) {
  const request = { organization: organization.id, fieldIdentifier: idOf(item), update };
  await api(FieldService).updateEnumValues(request, { signal });
  return {
    changed: ['field', 'parser'],
    results: [{ id: idOf(item), label: field.label(item) }],
    message: doneMessage,
  } satisfies Outcome;
}

const refOf = (item: Field): string => `#${idOf(item)}`;

const settings = ({ displayName, description, color, priority }: Value_Enum) => ({
  name: displayName,
  description,
  color,
  priority,
});

export const addValue: Command = command({
  id: 'field.add-value',
  example: { field: 'Valve', value: 'stuck' },
  requires: 'MANAGE_PARSERS',
  effect: 'write',
  params: {
    field: required(p.ref(() => field)),
    value: required(p.text({ maxLength: MAX_LENGTH.enumText })),
    ...valueParams,
  },
  positional: ['field', 'value'],
  plan: async (_context: Context, { field: item, value }) => {
    requireEnum(item);
    return createPlan(item, message('field:plan.add-value', { value, name: field.label(item) }), {
      added: [value],
      removed: [],
    });
  },
  run: (context, { field: item, value, name = '', description = '', color = '', priority = 0 }) =>
    send(
      context,
      item,
      { addValues: [{ value: value.trim(), displayName: name, description, color, priority }] },
      message('field:done.add-value', { value, name: field.label(item) }),
    ),
  inverse: ({ field: item, value }) => [
    { id: 'field.remove-value', args: { field: refOf(item), value: value.trim() } },
  ],
});

export const editValue: Command = command({
  id: 'field.edit-value',
  example: { field: 'Valve', value: 'open', color: '#2e9e5b' },
  requires: 'MANAGE_PARSERS',
  effect: 'write',
  params: {
    field: required(p.ref(() => field)),
    value: required(p.text({ maxLength: MAX_LENGTH.enumText })),
    ...valueParams,
  },
  positional: ['field', 'value'],
  problems: (_context, { name, description, color, priority }) =>
    (name ?? description ?? color ?? priority) === undefined ? { name: message('core:validation.required') } : {},
  plan: async (_context: Context, { field: item, value, ...changes }) => {
    const before = requireEnumValue(item, value);
    const previousSettings = settings(before);
    const providedChanges = Object.entries(changes).filter(([, next]) => next !== undefined);
    const changed = providedChanges.filter(
      ([key, next]) => previousSettings[key as keyof typeof previousSettings] !== next,
    );
    const label = before.displayName || value;
    return {
      summary: message('field:plan.edit-value', { value: label, name: field.label(item) }),
      count: Number(changed.length > 0),
      changes: changed.map(([key, next]) => ({
        id: idOf(item),
        label: field.label(item),
        field: message(`field:fields.${key}`),
        before: String(previousSettings[key as keyof typeof previousSettings]) || undefined,
        after: String(next) || undefined,
      })),
      reversible: true,
    };
  },
  run: async (context, { field: item, value, name, description, color, priority }) => {
    const before = requireEnumValue(item, value);
    const update = {
      value,
      ...(name === undefined ? {} : { displayName: name }),
      ...(description === undefined ? {} : { description }),
      ...(color === undefined ? {} : { color }),
      ...(priority === undefined ? {} : { priority }),
    };
    const doneMessage = message('field:done.edit-value', {
      value: before.displayName || value,
      name: field.label(item),
    });
    return send(context, item, { updateValues: [update] }, doneMessage);
  },
  inverse: ({ field: item, value }) => [
    { id: 'field.edit-value', args: { field: refOf(item), value, ...settings(requireEnumValue(item, value)) } },
  ],
});

export const removeValue: Command = command({
  id: 'field.remove-value',
  example: { field: 'Valve', value: 'opening' },
  requires: 'MANAGE_PARSERS',
  effect: 'write',
  params: { field: required(p.ref(() => field)), value: required(p.text({ maxLength: MAX_LENGTH.enumText })) },
  positional: ['field', 'value'],
  plan: async (_context: Context, { field: item, value }) => {
    requireEnumValue(item, value);
    return createPlan(item, message('field:plan.remove-value', { value, name: field.label(item) }), {
      added: [],
      removed: [value],
    });
  },
  run: (context, { field: item, value }) =>
    send(
      context,
      item,
      { removeValues: [value] },
      message('field:done.remove-value', { value, name: field.label(item) }),
    ),
  inverse: ({ field: item, value }) => [
    { id: 'field.add-value', args: { field: refOf(item), value, ...settings(requireEnumValue(item, value)) } },
  ],
});
