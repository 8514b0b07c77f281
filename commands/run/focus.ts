import { withSort } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { viewOf } from '#commands/query/views.ts';
import type { Focus } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { NamedTarget } from '#commands/model/target.ts';

/** One item on the screen. */
export interface ShownItem {
  readonly entity: string;
  readonly id: string;
  /** Absent until the item has loaded. */
  readonly name?: Message;
}

/** The table on the screen. */
export interface ShownTable {
  readonly entity: string;
  readonly selection?: { readonly target: NamedTarget; readonly count: number; readonly name: Message };
  /** The active row; absent in an empty list, and until it has loaded. */
  readonly row?: { readonly id: string; readonly name: Message };
}

/** Everything on the screen that a command could act on. */
export interface Shown {
  readonly table?: ShownTable | undefined;
  /** The topmost item of the panel. */
  readonly panel?: ShownItem | undefined;
  /** The item a page is about: oneself, one organization. */
  readonly subject?: ShownItem | undefined;
}

/**
 * The target: the selection, else the item of the open panel, else the active row, else what the page is about. The
 * only place that decides it.
 */
export function focusOf({ table, panel, subject }: Shown): Focus | undefined {
  if (table?.selection) return { entity: table.entity, ...table.selection };
  if (panel) return itemFocus(panel);
  if (table) return table.row ? itemFocus({ entity: table.entity, ...table.row }) : { entity: table.entity };
  return subject && itemFocus(subject);
}

function itemFocus({ entity, id, name }: ShownItem): Focus {
  return { entity, active: id, ...(name ? { name } : {}) };
}

/** What one item is called where there is little room. */
export function itemName(entity: AnyEntity, item: unknown): Message {
  return message('core:target.item', { name: entity.short?.(item) ?? (entity.label(item) || entity.id(item)) });
}

/** What some selected items are called: the one by its name, more by their number. */
export function selectedName(count: number): Message {
  return message('core:target.selected', { count });
}

/** What all items of a filter are called: by the view it is, by the filter itself, or as all there are. */
export function matchingName(filter: ParsedFilter, count: number): Message {
  const of = filter.entity;
  const unsorted = withSort(filter, []);
  const view = viewOf(filter);
  if (unsorted === '') return message('core:target.all', { items: entityTexts.count(of, count) });
  if (view) return message('core:target.view', { count, view: entityTexts.view(of, view.id) });
  return message('core:target.matching', { count, filter: unsorted });
}
