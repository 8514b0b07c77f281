import type { Focus } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type DefaultView } from '#commands/model/entity.ts';
import type { NamedTarget } from '#commands/model/target.ts';
import { withSort } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { message, type Message } from '#commands/text/message.ts';

/** One item on the screen. */
export interface VisibleItem {
  readonly entity: string;
  readonly id: string;
  /** Absent until the item has loaded. */
  readonly name?: Message;
}

/** The table on the screen. */
export interface VisibleTable {
  readonly entity: string;
  readonly selection?: { readonly target: NamedTarget; readonly count: number; readonly name: Message };
  /** The active row. Absent in an empty list and while the list loads. */
  readonly row?: { readonly id: string; readonly name: Message };
}

/** Everything visible that a command could act on. */
export interface VisibleTargets {
  readonly table?: VisibleTable | undefined;
  /** The topmost item in the panel. */
  readonly panel?: VisibleItem | undefined;
  /** The item that is being edited in place, while its fields have the keyboard focus. */
  readonly edited?: VisibleItem | undefined;
  /** The item that a page is about, such as the user or an organization. */
  readonly subject?: VisibleItem | undefined;
}

/**
 * Picks the target: the item being edited in place, or else the selection, the item in the open panel, the active row,
 * or the page's item. No other code makes this decision.
 */
export function resolveFocus({ table, panel, edited: editedItem, subject }: VisibleTargets): Focus | undefined {
  if (editedItem) return itemFocus(editedItem);
  if (table?.selection) return { entity: table.entity, ...table.selection };
  if (panel) return itemFocus(panel);
  if (table) return table.row ? itemFocus({ entity: table.entity, ...table.row }) : { entity: table.entity };
  return subject && itemFocus(subject);
}

function itemFocus({ entity, id, name }: VisibleItem): Focus {
  return { entity, active: id, ...(name ? { name } : {}) };
}

/** Returns a short name for one item. */
export function itemName(entity: AnyEntity, item: unknown): Message {
  return message('core:target.item', { name: entity.shortLabel?.(item) ?? (entity.label(item) || entity.id(item)) });
}

/** Names the selection by its item count. */
export function selectedName(count: number): Message {
  return message('core:target.selected', { count });
}

/**
 * Returns a name for all items that match a filter. The name includes the view or the filter text, if any.
 *
 * @param view the view that is equivalent to the filter
 */
export function matchingName(filter: ParsedFilter, view: DefaultView | undefined, count: number): Message {
  const { entity } = filter;
  const unsorted = withSort(filter, []);
  if (unsorted === '') return message('core:target.all', { items: entityLabels.count(entity, count) });
  if (view) return message('core:target.view', { count, view: entityLabels.view(entity, view.id) });
  return message('core:target.matching', { count, filter: unsorted });
}
