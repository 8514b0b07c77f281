import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Param } from '#commands/model/kinds.ts';
import { findAll, isProblem, lookUpAll } from '#commands/run/find-all.ts';
import { lengthProblem, lineProblem } from '#commands/run/values.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { ParsedRow } from './cells.ts';
import type { ImportSpec } from './columns.ts';

/** What the server knows of the names in the rows. */
export interface Lookups {
  /** Returns the item that a row is about, the problem with its name, or undefined if there is no such item. */
  itemOf(row: ParsedRow): unknown;
  /** Returns the value that a command receives for a param of the row, or the problem with it. */
  resolve(param: Param, value: ArgValue): { readonly value: unknown } | { readonly problem: Message };
}

/** Texts that are too long to search for can't be names. */
const isName = (text: string): boolean => text.trim() !== '' && text.length <= MAX_LENGTH.search;

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(isName))];

/** The param of `create` that says what a new item is called. A row without an id means the item with that name. */
export const nameParam = ({ create, each }: ImportSpec): string | undefined => each ?? create?.positional[0];

/** Returns the name of the item that a row is about, if it has no id. */
export function nameOf({ id, args }: ParsedRow, spec: ImportSpec): string {
  const name = nameParam(spec);
  const value = id !== '' || !spec.edit || name === undefined ? undefined : args[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Looks up existing items by name. An item that only has the name as its id, or as another name, doesn't count. */
async function lookUpNames(context: Context, spec: ImportSpec, rows: readonly ParsedRow[]) {
  const { entity, edit } = spec;
  const found = new Map(await lookUpAll(entity, distinct(rows.map((row) => nameOf(row, spec))), () => false, context));
  const target = edit?.target?.name;
  if (!edit?.initial || target === undefined) return found;
  for (const [text, item] of found) {
    if (isProblem(item)) continue;
    const { values } = await edit.initial(context, { [target]: { ids: [entity.id(item)], items: [item] } });
    const current = values[nameParam(spec)!];
    if (typeof current !== 'string' || current.trim().toLowerCase() !== text.toLowerCase()) found.delete(text);
  }
  return found;
}

/** Looks up the items to change, and all items that the rows refer to, in as few calls as possible. */
export async function lookUpRows(
  context: Context,
  spec: ImportSpec,
  rows: readonly ParsedRow[],
  params: Readonly<Record<string, Param>>,
): Promise<Lookups> {
  const { entity } = spec;
  const isId = (text: string): boolean => entity.isId(text) || text.startsWith('#');
  const byId = await lookUpAll(entity, distinct(rows.map(({ id }) => id)), isId, context);
  const byName = await lookUpNames(context, spec, rows);
  const references = new Map<AnyEntity, ReadonlyMap<string, unknown>>();
  const referenceParams = Object.entries(params).flatMap(([name, param]) =>
    param.kind === 'ref' || param.kind === 'refs' ? [{ name, param, entity: param.entity() }] : [],
  );
  for (const { entity: other } of referenceParams) {
    if (references.has(other)) continue;
    const texts = referenceParams.flatMap(({ name, entity: same }) =>
      same === other ? rows.flatMap(({ args }) => args[name] ?? []).flat() : [],
    ) as readonly string[];
    const creates = referenceParams.some(({ param, entity: same }) => same === other && param.orCreate === true);
    const find = creates ? lookUpAll : findAll;
    references.set(other, await find(other, distinct(texts), other.isId, context));
  }

  /** Resolves a name as a command's own lookup does. */
  function resolveName(param: Extract<Param, { kind: 'ref' | 'refs' }>, text: string) {
    const found = references.get(param.entity())?.get(text);
    if (isProblem(found)) return { problem: found };
    if (!param.orCreate) return found === undefined ? { problem: unknownName(param.entity(), text) } : { value: found };
    if (found !== undefined) return { value: { item: found } };
    const problem = lengthProblem(text, param) ?? lineProblem(text);
    return problem ? { problem } : { value: { create: text.trim() } };
  }

  return {
    itemOf: (row) => (row.id === '' ? byName.get(nameOf(row, spec)) : byId.get(row.id)),
    resolve: (param, value) => {
      if (param.kind === 'ref') return resolveName(param, value as string);
      if (param.kind !== 'refs') return { value };
      const resolved = (value as readonly string[]).map((text) => resolveName(param, text));
      const problem = resolved.find((result) => 'problem' in result);
      return problem ?? { value: resolved.map((result) => ('value' in result ? result.value : undefined)) };
    },
  };
}

export const unknownName = (entity: AnyEntity, text: string): Message =>
  message('running:lookup.none', { entity: message(`${entity.name}:one`), text });
