import type { Column, DetailField } from '#commands/model/column.ts';
import type { DetailGroup } from '#commands/model/detail-groups.ts';
import type { FilterKey, FilterKeys } from '#commands/model/filter.ts';
import type { EditableField } from './edit-command.ts';

/** How an item shows an attribute; a column and a detail field may each differ from it. */
type Shown<Item> = Pick<Column<Item>, 'kind' | 'value' | 'level' | 'tags' | 'at'> & Pick<DetailField<Item>, 'links'>;

/** What a column adds. */
type ColumnPart<Item> = Pick<Column<Item>, 'width' | 'grow' | 'enough' | 'sort' | 'when' | 'texts'> &
  Partial<Pick<Column<Item>, 'kind' | 'value' | 'level'>>;

/** What a detail field adds. */
type DetailPart<Item> = { readonly group: DetailGroup } & Pick<DetailField<Item>, 'fields'> &
  Partial<Pick<DetailField<Item>, 'kind' | 'value' | 'level'>>;

/** What everybody sees of an attribute. */
interface ShownAttribute<Item, Selection> extends Shown<Item> {
  /** Absent: the table does not show it. */
  readonly column?: ColumnPart<Item>;
  /** Absent: the panel does not show it. */
  readonly detail?: DetailGroup | DetailPart<Item>;
  readonly filter?: FilterKey<Selection>;
  /** What the filter calls it, where that is called otherwise than the attribute. */
  readonly key?: string;
  /** `noun.verb` that sets it from the panel. */
  readonly edit?: string;
}

/** How an attribute is set. */
interface SetAttribute<Field> {
  readonly field: Field;
  /** The param that sets it, where that is called otherwise than the attribute. */
  readonly param?: string;
}

/**
 * An attribute of an item, declared once for every place that knows it. It is called `labels.<id>` in the texts of its
 * noun everywhere. One that is only set has nothing to show.
 */
export type Attribute<Item, Selection, Field extends EditableField<Item> = EditableField<Item>> =
  | (ShownAttribute<Item, Selection> & Partial<SetAttribute<Field>>)
  | SetAttribute<Field>;

export interface Attributes<Item, Selection, Field> {
  readonly columns: readonly Column<Item>[];
  readonly details: readonly DetailField<Item>[];
  readonly filter: FilterKeys<Selection>;
  readonly fields: Readonly<Record<string, Field>>;
}

/**
 * By place, what comes first where the order of declaration is not the one to read it in; the rest follows as
 * declared.
 */
type Leading = Partial<Record<'columns' | 'details' | 'filter', readonly string[]>>;

/**
 * What an entity and its commands take from its attributes, each in the order of declaration unless `leading` says
 * otherwise.
 */
export function attributes<Item, Selection, Field extends EditableField<Item> = EditableField<Item>>(
  all: Readonly<Record<string, Attribute<Item, Selection, Field>>>,
  leading: Leading = {},
): Attributes<Item, Selection, Field> {
  const each = Object.entries(all);
  const seen = each.flatMap(([id, of]) => ('kind' in of ? [[id, of] as const] : []));
  const columns = seen.flatMap(([id, { column, ...of }]): Column<Item>[] =>
    column ? [{ id, ...shown(of), ...column }] : [],
  );
  const details = seen.flatMap(([id, { detail, edit, links, param, ...of }]): DetailField<Item>[] => {
    if (detail === undefined) return [];
    const part = typeof detail === 'string' ? { group: detail } : detail;
    return [
      {
        id,
        ...shown(of),
        ...(param ? { fields: [param] } : {}),
        ...part,
        ...(links ? { links } : {}),
        ...(edit ? { edit } : {}),
      },
    ];
  });
  const keys = seen.flatMap(([id, { filter, key = id }]) => (filter ? [[key, filter] as const] : []));
  return {
    columns: led(columns, ({ id }) => id, leading.columns),
    details: led(details, ({ id }) => id, leading.details),
    filter: Object.fromEntries(led(keys, ([key]) => key, leading.filter)),
    fields: Object.fromEntries(each.flatMap(([id, { field, param = id }]) => (field ? [[param, field]] : []))),
  };
}

function led<Part>(
  parts: readonly Part[],
  nameOf: (part: Part) => string,
  names: readonly string[] = [],
): readonly Part[] {
  const first = names.map((name) => declared(parts, nameOf, name));
  return [...first, ...parts.filter((part) => !first.includes(part))];
}

function declared<Part>(parts: readonly Part[], nameOf: (part: Part) => string, name: string): Part {
  const found = parts.find((part) => nameOf(part) === name);
  if (found === undefined) throw new Error(`No '${name}' is declared`);
  return found;
}

/** The named ones of the columns, in that order, for a place with less room. */
export function narrowed<Item>(
  columns: readonly Column<Item>[],
  widths: Readonly<Record<string, Pick<Column<Item>, 'width' | 'grow'>>>,
): readonly Column<Item>[] {
  return Object.entries(widths).map(([id, width]) => ({
    id,
    ...shown(declared(columns, (column) => column.id, id)),
    ...width,
  }));
}

function shown<Item>({ kind, value, level, tags, at }: Shown<Item>): Omit<Shown<Item>, 'links'> {
  return { kind, value, ...(level ? { level } : {}), ...(tags ? { tags } : {}), ...(at ? { at } : {}) };
}

/** The named ones of the fields, for a command that sets no others. */
export function only<Field>(
  fields: Readonly<Record<string, Field>>,
  ...names: readonly string[]
): Readonly<Record<string, Field>> {
  return Object.fromEntries(names.map((name) => [name, fields[name]!]));
}
