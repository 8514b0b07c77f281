import type { DetailGroup } from './detail-groups.ts';
import type { Message } from '#commands/text/message.ts';

/**
 * How a cell looks: the surface picks the font, the alignment and, for `health` and `tags`, the widget. A cell's
 * `value` is always text too (what CSV and the CLI show).
 */
export type CellKind = 'text' | 'mono' | 'number' | 'age' | 'time' | 'day' | 'health' | 'tags' | 'status';

export type Level = 'ok' | 'warning' | 'error' | 'none';

export interface TagLabel {
  readonly id: string;
  readonly name: string;
}

/** The name of the entity that a {@link TagLabel} is of. */
export const TAG_ENTITY = 'tag';

/** An item of some entity, to be opened where it is named. */
export interface ItemRef {
  readonly entity: string;
  readonly id: string;
}

export interface Column<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /** Pixels at the default type size. A column never shrinks below `min`; `grow` shares what is left. */
  readonly width: number;
  readonly grow?: number;
  /** Pixels with which it is seldom cut: what is left goes here before it is shared. */
  readonly enough?: number;
  readonly sort?: string;
  /** The key of the filter that makes it worth its room: without a term of that key it says the same in every row. */
  readonly when?: string;
  /**
   * Every text that can stand here, where that is a short closed list: the column is then never too narrow for one,
   * in any language.
   */
  readonly texts?: readonly Message[];
  /** Text of the cell; a {@link Message} where the text is of the interface's language (an enum value). */
  value(item: Item): string | Message | undefined;
  level?(item: Item): Level;
  tags?(item: Item): readonly TagLabel[];
  /** For `age` and `time`: the moment, in ms since the epoch; for `day` when it begins in UTC. */
  at?(item: Item): number | undefined;
}

/** One labelled line of the panel's overview. */
export interface DetailField<Item> {
  readonly id: string;
  readonly kind: CellKind;
  /**
   * Where the overview shows it; within a group the order is that of declaration. Pages order their details themselves.
   */
  readonly group?: DetailGroup;
  value(item: Item): string | Message | undefined;
  /** How bad it is; warnings and errors lead the overview. `now` is in ms since the epoch. */
  level?(item: Item, now?: number): Level;
  tags?(item: Item): readonly TagLabel[];
  at?(item: Item): number | undefined;
  /** The items that it names, where they can be opened: a gateway, an owner. */
  links?(item: Item): readonly (ItemRef & { readonly name: string })[];
  /** The command that edits it. */
  readonly edit?: string;
  /** The params of that command that are about it, where they do not follow from its id ({@link editedParams}). */
  readonly fields?: readonly string[];
}

/** A labelled part of one row, for reading. */
export interface DetailPart {
  readonly label: Message;
  readonly text: string | Message;
  readonly mono?: boolean;
  /** For a moment, in ms since the epoch: it is written in the person's own format and time zone. */
  readonly at?: number | undefined;
}

/** Links to items that are called by their id. */
export function asLinks(
  entity: string,
  ...ids: readonly (string | undefined)[]
): readonly (ItemRef & { name: string })[] {
  return ids.flatMap((id) => (id ? [{ entity, id, name: id }] : []));
}
