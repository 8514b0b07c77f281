import type { Ability } from '#commands/model/ability.ts';
import type { Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import type { Message } from '#commands/text/message.ts';

import type { FieldValue } from './value-loading.ts';

/** The maximum number of fields in a tab. */
const MAX_FIELDS = 1000;

const columns: readonly Column<FieldValue>[] = [
  { id: 'field', kind: 'text', width: 120, grow: 1, value: ({ name }) => name },
  {
    id: 'value',
    kind: 'number',
    width: 100,
    value: ({ text, unit }) => text && [text, unit].filter(Boolean).join(' '),
  },
  { id: 'age', kind: 'age', width: 60, value: () => undefined, time: ({ time }) => time },
];

/** Returns the tab with the newest value of each field of an item. */
export function valuesTab<Item>(
  requires: Ability,
  owner: (item: Item) => ValueOwner,
  emptyHint: (item: Item) => Message,
): DetailTab<Item> {
  return {
    id: 'values',
    requires,
    columns,
    limit: MAX_FIELDS,
    load: async (context, item) => {
      const { loadFieldValues } = await import('./value-loading.ts');
      return loadFieldValues(context, owner(item));
    },
    key: (row) => (row as FieldValue).field,
    owner,
    emptyHint,
  };
}
