import type { Column, DetailField } from '#commands/model/column.ts';
import type { DetailGroup } from '#commands/model/detail-groups.ts';
import type { FilterKey, FilterKeys } from '#commands/model/filter.ts';

import type { EditableField } from './edit-command.ts';
import { rawText } from './raw-text.ts';

/** How an item shows an attribute. A column or a detail field can override it. */
type Display<Item> = Pick<Column<Item>, 'kind' | 'value' | 'level' | 'tags' | 'time' | 'raw'> &
  Pick<DetailField<Item>, 'links'>;

/** The options of a column. */
type ColumnOptions<Item> = Pick<
  Column<Item>,
  'optional' | 'width' | 'grow' | 'comfortableWidth' | 'sort' | 'when' | 'possibleValues'
> &
  Partial<Pick<Column<Item>, 'kind' | 'value' | 'level'>>;

/** The options of a detail field. */
type DetailOptions<Item> = { readonly group: DetailGroup } & Pick<DetailField<Item>, 'fields' | 'opens'> &
  Partial<Pick<DetailField<Item>, 'kind' | 'value' | 'level'>>;

/** The display options of an attribute. */
interface VisibleAttribute<Item, Selection> extends Display<Item> {
  /** Absent if the table does not show it. */
  readonly column?: ColumnOptions<Item>;
  /** Absent if the panel does not show it. */
  readonly detail?: DetailGroup | DetailOptions<Item>;
  readonly filter?: FilterKey<Selection>;
  /** The filter key, if it differs from the attribute's name. */
  readonly key?: string;
  /** The command that edits it in the panel, as `noun.verb`. */
  readonly edit?: string;
}

/** The edit options of an attribute. */
interface WritableAttribute<Field> {
  readonly field: Field;
  /** The param that sets it, if it differs from the attribute's name. */
  readonly param?: string;
}

/**
 * An attribute of an item, declared once for everything that uses it. Its label is `labels.<id>` in the noun's locale
 * file. A write-only attribute has no display options.
 */
export type Attribute<Item, Selection, Field extends EditableField<Item> = EditableField<Item>> =
  | (VisibleAttribute<Item, Selection> & Partial<WritableAttribute<Field>>)
  | WritableAttribute<Field>;

export interface Attributes<Item, Selection, Field> {
  readonly columns: readonly Column<Item>[];
  readonly details: readonly DetailField<Item>[];
  readonly filter: FilterKeys<Selection>;
  readonly fields: Readonly<Record<string, Field>>;
}

/**
 * The attributes to put first in each list, if the reading order differs from the order of declaration. The other
 * attributes follow in the order of declaration.
 */
type LeadingNames = Partial<Record<'columns' | 'details' | 'filter', readonly string[]>>;

/**
 * Derives the columns, details, filter keys, and fields of an entity from its attributes. Each list is in the order of
 * declaration, after the attributes in `leadingNames`.
 */
export function attributes<Item, Selection, Field extends EditableField<Item> = EditableField<Item>>(
  declarations: Readonly<Record<string, Attribute<Item, Selection, Field>>>,
  leadingNames: LeadingNames = {},
): Attributes<Item, Selection, Field> {
  const entries = Object.entries(declarations);
  const visibleAttributes = entries.flatMap(([id, attribute]) =>
    'kind' in attribute ? [[id, attribute] as const] : [],
  );
  const columns = visibleAttributes.flatMap(([id, { column, ...attribute }]): Column<Item>[] =>
    column ? [{ id, ...fieldColumn(id, attribute), ...pickDisplay(attribute), ...pickEdit(attribute), ...column }] : [],
  );
  const details = visibleAttributes.flatMap(([id, attribute]): DetailField<Item>[] => {
    const { detail, links } = attribute;
    if (detail === undefined) return [];
    const part = typeof detail === 'string' ? { group: detail } : detail;
    return [{ id, ...pickDisplay(attribute), ...pickEdit(attribute), ...part, ...(links ? { links } : {}) }];
  });
  const keys = visibleAttributes.flatMap(([id, { filter, key = id }]) => (filter ? [[key, filter] as const] : []));
  return {
    columns: moveToFront(columns, ({ id }) => id, leadingNames.columns),
    details: moveToFront(details, ({ id }) => id, leadingNames.details),
    filter: Object.fromEntries(moveToFront(keys, ([key]) => key, leadingNames.filter)),
    fields: Object.fromEntries(entries.flatMap(([id, { field, param = id }]) => (field ? [[param, field]] : []))),
  };
}

/** Returns how a column is set, and how it writes its value: like the argument that would leave it unchanged. */
function fieldColumn<Item>(
  id: string,
  { field, param: paramName = id }: Partial<WritableAttribute<EditableField<Item>>>,
): Pick<Column<Item>, 'raw' | 'param'> {
  const { param, secret, current } = field ?? {};
  if (!param || !current || secret || (param.kind === 'pairs' && param.hidden)) return {};
  return {
    param: paramName,
    raw: (item) => {
      const value = current(item);
      return value === undefined ? undefined : rawText(value, param);
    },
  };
}

function moveToFront<Part>(
  parts: readonly Part[],
  nameOf: (part: Part) => string,
  names: readonly string[] = [],
): readonly Part[] {
  const first = names.map((name) => findNamed(parts, nameOf, name));
  return [...first, ...parts.filter((part) => !first.includes(part))];
}

function findNamed<Part>(parts: readonly Part[], nameOf: (part: Part) => string, name: string): Part {
  const match = parts.find((part) => nameOf(part) === name);
  if (match === undefined) throw new Error(`No attribute "${name}" is declared.`);
  return match;
}

/** Picks the columns named in `widths`, in that order, for a narrower table. */
export function pickColumns<Item>(
  columns: readonly Column<Item>[],
  widths: Readonly<Record<string, Pick<Column<Item>, 'width' | 'grow'>>>,
): readonly Column<Item>[] {
  return Object.entries(widths).map(([id, width]) => ({
    id,
    ...pickDisplay(findNamed(columns, (column) => column.id, id)),
    ...width,
  }));
}

function pickDisplay<Item>({ kind, value, level, tags, time, raw }: Display<Item>): Omit<Display<Item>, 'links'> {
  return {
    kind,
    value,
    ...(level ? { level } : {}),
    ...(tags ? { tags } : {}),
    ...(time ? { time } : {}),
    ...(raw ? { raw } : {}),
  };
}

/** Returns how the panel and the table edit an attribute in place. */
function pickEdit<Item>({
  detail,
  edit,
  param,
}: Pick<VisibleAttribute<Item, never>, 'detail' | 'edit'> & { readonly param?: string }): Pick<
  DetailField<Item>,
  'edit' | 'fields'
> {
  const fields = (typeof detail === 'object' ? detail.fields : undefined) ?? (param ? [param] : undefined);
  return { ...(fields ? { fields } : {}), ...(edit ? { edit } : {}) };
}

/** Picks the named fields, for a command that sets only those. */
export function pickFields<Field>(
  fields: Readonly<Record<string, Field>>,
  ...names: readonly string[]
): Readonly<Record<string, Field>> {
  return Object.fromEntries(names.map((name) => [name, fields[name]!]));
}

/** Returns all fields in form order: the named fields, then the others. */
export function orderFields<Field>(
  fields: Readonly<Record<string, Field>>,
  ...firstNames: readonly string[]
): Readonly<Record<string, Field>> {
  return { ...pickFields(fields, ...firstNames), ...fields };
}
