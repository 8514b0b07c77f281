import type { Message } from '#commands/text/message.ts';

import type { DetailGroup } from './detail-groups.ts';
import type { Invocation } from './invocation.ts';

/**
 * How to show a cell. The surface picks the font, the alignment, and, for `health` and `tags`, the widget. A `value` is
 * a measured number with its unit. A `color` is shown next to its name. Every cell also has a `value` as text, for CSV
 * and the CLI.
 */
export type CellKind =
  | 'text'
  | 'mono'
  | 'number'
  | 'age'
  | 'time'
  | 'day'
  | 'health'
  | 'tags'
  | 'status'
  | 'value'
  | 'color';

export type Level = 'ok' | 'warning' | 'error' | 'none';

export interface TagLabel {
  readonly id: string;
  readonly name: string;
  /** See {@link ItemRef}. */
  readonly organization?: string;
}

/** The name of the entity behind a {@link TagLabel}. */
export const TAG_ENTITY = 'tag';

/** A reference to an item of any entity, for links. */
export interface ItemRef {
  readonly entity: string;
  readonly id: string;
  /** The item's organization, if ids are unique only within an organization. The item can be opened only from there. */
  readonly organization?: string;
}

export interface Column<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /** The title, if it isn't the entity's text for the id. */
  readonly title?: Message;
  /** True to hide the column until the user shows it. */
  readonly optional?: true;
  /** Minimum width in px at the default type size. `grow` is the column's share of the remaining width. */
  readonly width: number;
  readonly grow?: number;
  /**
   * The width in px at which text is rarely truncated. Columns reach it before `grow` distributes the remaining width.
   */
  readonly comfortableWidth?: number;
  readonly sort?: string;
  /** The filter key that makes the column useful. Unless the filter uses this key, every row shows the same value. */
  readonly when?: string;
  /**
   * Every value the cell can show, if it's a short closed list. The column is then wide enough for all of them, in any
   * language.
   */
  readonly possibleValues?: readonly Message[];
  /** Returns the text of the cell, as a {@link Message} if it depends on the language (an enum value). */
  value(item: Item): string | Message | undefined;
  level?(item: Item): Level;
  tags?(item: Item): readonly TagLabel[];
  /**
   * For `age` and `time`, the time in ms since the epoch. For `day`, the start of the day in UTC. For `value`, when it
   * was measured.
   */
  time?(item: Item): number | undefined;
  /** For `value`, the unit at the end of its text. */
  unit?(item: Item): string;
  /** For `value`, the age in ms from which it is shown as old. */
  oldAfter?(item: Item): number;
  /**
   * Returns the value for programs, without a unit and the same in every language. Undefined if there is none. The
   * default follows from `kind` and `value`.
   */
  raw?(item: Item): string | undefined;
  /** The param of the edit command that sets it. Absent if none does. */
  readonly param?: string;
  /** The command that edits a cell in place, and its params, as for a {@link DetailField}. */
  readonly edit?: string;
  readonly fields?: readonly string[];
}

/** One labeled line of the panel's overview. */
export interface DetailField<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /**
   * Its group in the overview. Within a group, details keep the order of declaration. Pages define their own order.
   */
  readonly group?: DetailGroup;
  value(item: Item): string | Message | undefined;
  /** Returns its severity. The overview lists warnings and errors first. `now` is in ms since the epoch. */
  level?(item: Item, now?: number): Level;
  tags?(item: Item): readonly TagLabel[];
  time?(item: Item): number | undefined;
  /** Returns links to the items that it names, such as a gateway or an owner. */
  links?(item: Item): readonly (ItemRef & { readonly name: string })[];
  /** Returns the names in it that commands open, such as the files that they download. */
  opens?(item: Item): readonly { readonly name: string; readonly invocation: Invocation }[];
  /** The command that edits it. */
  readonly edit?: string;
  /** The command's params that belong to this field, if its id does not determine them ({@link editedParams}). */
  readonly fields?: readonly string[];
}

/** A labeled part of one row. */
export interface DetailPart {
  readonly label: Message;
  readonly text: string | Message;
  readonly mono?: boolean;
  /** A time in ms since the epoch, shown instead of `text` in the user's format and time zone. */
  readonly time?: number | undefined;
  /** Links to the items that it names, shown instead of `text`. */
  readonly links?: readonly (ItemRef & { readonly name: string })[];
}

/** Returns links to items, labeled with their ids. */
export function asLinks(
  entity: string,
  ...ids: readonly (string | undefined)[]
): readonly (ItemRef & { name: string })[] {
  return ids.flatMap((id) => (id ? [{ entity, id, name: id }] : []));
}
