import type { Column } from '#commands/model/column.ts';
import type { CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';

import { availability, type Reason } from './availability.ts';

/** The columns of a table whose cells can be edited in place, in order. */
export interface EditableColumns {
  readonly columns: readonly Column<unknown>[];
  /** Why the user can't edit the first of the other columns that have an editor. */
  readonly reason?: Reason;
}

/** Returns the columns with these ids that the user can edit now. */
export function editableColumns(
  entity: AnyEntity,
  ids: readonly string[],
  commandOf: (id: string) => CommandMetadata | undefined,
  context: Context,
): EditableColumns {
  const columns: Column<unknown>[] = [];
  let reason: Reason | undefined;
  for (const column of entity.columns) {
    const command = column.edit !== undefined && ids.includes(column.id) ? commandOf(column.edit) : undefined;
    if (!command) continue;
    const available = availability(command, context);
    if (available.ok) columns.push(column);
    else reason ??= available.reason;
  }
  return { columns, ...(reason ? { reason } : {}) };
}
