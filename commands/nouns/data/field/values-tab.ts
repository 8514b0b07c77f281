import type { Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { Value_Type, type Value_Enum } from '#proto/gen/hiber/value_pb.ts';

import { enumValuesOf, idOf } from './item.ts';

/** More than the 200 values that the server accepts. */
const MAX_ROWS = 1000;

const columns: readonly Column<Value_Enum>[] = [
  { id: 'value', title: message('field:columns.value'), kind: 'mono', width: 58, value: ({ value }) => value },
  {
    id: 'valueName',
    title: message('field:columns.valueName'),
    kind: 'text',
    width: 56,
    value: ({ displayName }) => displayName || undefined,
  },
  {
    id: 'valueDescription',
    title: message('field:columns.valueDescription'),
    kind: 'text',
    width: 70,
    grow: 1,
    value: ({ description }) => description || undefined,
  },
  {
    id: 'color',
    title: message('field:columns.color'),
    kind: 'color',
    width: 34,
    value: ({ color }) => color || undefined,
  },
  {
    id: 'priority',
    title: message('field:columns.priority'),
    kind: 'number',
    width: 48,
    value: ({ priority }) => String(priority),
  },
];

/** The values of an enum field, sorted by priority. */
export const valuesTab: DetailTab<Field> = {
  id: 'values',
  add: (item) =>
    item.type === Value_Type.ENUM ? { id: 'field.add-value', args: { field: `#${idOf(item)}` } } : undefined,
  addsMore: true,
  columns,
  limit: MAX_ROWS,
  load: async (_context, item) => enumValuesOf(item),
  key: (row) => (row as Value_Enum).value,
  emptyHint: ({ type }) => message(type === Value_Type.ENUM ? 'field:noValues' : 'field:noChoice'),
};
