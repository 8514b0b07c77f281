import { parseValue, printValue } from '#commands/line/line.ts';
import type { ArgValue, Kind } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Param } from '#commands/model/kinds.ts';
import { SELECTION, isSelection, type Target } from '#commands/model/target.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { checkValue } from '#commands/run/values.ts';
import { needle, scoreOf, tierOf } from '#commands/text/score.ts';
import { findItems, itemCandidate, itemRow, lineValues } from '#src/search/item-rows.ts';

import { addList, doneRow } from './multiple.ts';
import { NOTHING, type PromptResult, type PromptInput, type Choice, type Prompt } from './prompt.ts';

const MAX_ITEMS = 20;

interface ItemChoice extends Choice {
  readonly value: string;
  readonly item: unknown;
}

/** Finds the items that match the typed text, best match first. Each has the value that names it in a command line. */
async function findMatchingItems(
  entity: AnyEntity,
  input: PromptInput,
  signal: AbortSignal,
): Promise<readonly ItemChoice[]> {
  const text = input.text.trim();
  const pattern = needle(text);
  const tierFor = (item: unknown): number =>
    tierOf(scoreOf(itemCandidate(entity, item, input.translate), pattern) ?? 0);
  const foundItems = await findItems(entity, text, MAX_ITEMS, { ...input.context, signal });
  const items = text === '' ? foundItems : foundItems.toSorted((a, b) => tierFor(b) - tierFor(a));
  const values = lineValues(entity, items);
  return items.map((item, index) => {
    const value = values[index] ?? entity.id(item);
    const problem = checkValue(
      input.param as Param,
      valueForKind(input.param.kind, value, entity.id(item)),
      input.context,
    );
    return {
      ...itemRow(entity, item, input.text, input.translate),
      value,
      item,
      ...(problem ? { reason: input.translate(problem) } : {}),
    };
  });
}

/** Returns a single item as the value of a param. */
function valueForKind(kind: Kind, value: string, id: string): ArgValue {
  if (kind === 'many') return { ids: [id] };
  return kind === 'refs' ? [value] : value;
}

function creationRows(
  entity: AnyEntity,
  input: PromptInput,
  rows: readonly Choice[],
): readonly Pick<Choice, 'id' | 'label' | 'isEcho'>[] {
  const name = input.text.trim();
  if (name === '' || rows.some((row) => row.label.toLowerCase() === name.toLowerCase())) return [];
  return [
    {
      id: `create ${name}`,
      isEcho: true,
      label: input.t('palette.create', { entity: entityLabels.one(entity), name }),
    },
  ];
}

export const refPrompt: Prompt<'ref'> = {
  immediateRows: () => NOTHING,
  load: async (input, signal) => {
    const plainInput = input as unknown as PromptInput;
    const entity = input.param.entity();
    const rows = await findMatchingItems(entity, plainInput, signal);
    return input.param.orCreate
      ? [...rows, ...creationRows(entity, plainInput, rows).map((row) => ({ ...row, value: input.text.trim() }))]
      : rows;
  },
};

export const refsPrompt: Prompt<'refs'> = {
  immediateRows: (input) => ({ rows: doneRow(input, input.value ?? []) }),
  load: async (input, signal) => {
    const entity = input.param.entity();
    const rows = await findMatchingItems(entity, input, signal);
    const newRows = input.param.orCreate
      ? creationRows(entity, input, rows).map((row) => ({ ...row, value: input.text.trim() }))
      : [];
    // The name of an item can contain commas, so a list comes after a match.
    const list = rows.length === 0 && input.text.includes(',') ? addList(input).rows : [];
    return [...rows, ...list, ...newRows].map((row) => ({ ...row, toggles: true }));
  },
};

/** Returns the number of items in a target, as the detail text of a row. */
async function countText(
  entity: AnyEntity,
  target: Target,
  { context, translate }: PromptInput,
  signal: AbortSignal,
): Promise<string> {
  return translate(entityLabels.count(entity, await countTarget(entity, target, { ...context, signal })));
}

/** Returns the problem with the typed filter, if any. */
function problemOf(input: PromptInput): PromptResult {
  const parsed = parseValue(input.param as Param, input.text);
  return 'problem' in parsed ? { rows: [], problem: parsed.problem } : NOTHING;
}

/**
 * Turns a name into a search, unless it is a list of existing names. The item with a single name already has its own
 * row.
 */
async function findName(
  target: Target,
  entity: AnyEntity,
  input: PromptInput,
  signal: AbortSignal,
): Promise<Target | undefined> {
  if (!('named' in target)) return target;
  if (target.named.includes(',') && (await exists(entity, target, { ...input.context, signal }))) return target;
  const parsed = parseValue(input.param as Param, `* ${target.named}`);
  return 'value' in parsed ? (parsed.value as Target) : undefined;
}

async function exists(entity: AnyEntity, target: Target, context: Context): Promise<boolean> {
  try {
    return (await countTarget(entity, target, context)) > 0;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

export const manyPrompt: Prompt<'many'> = {
  immediateRows: (input) => {
    const { param, text, context, translate } = input;
    const entity = param.entity();
    const { focus } = context;
    if (/[:<>]/.test(text)) return problemOf(input);
    if (text.trim() !== '' || focus?.entity !== entity.name || !focus.target) return NOTHING;
    const detail = translate(entityLabels.count(entity, focus.count ?? 0));
    return {
      rows: [{ id: '@selection', label: focus.name ? translate(focus.name) : '@selection', detail, value: SELECTION }],
    };
  },
  load: async (input, signal) => {
    const { param, text } = input;
    const entity = param.entity();
    const rows = (await findMatchingItems(entity, input as unknown as PromptInput, signal)).map((row) => ({
      ...row,
      value: { ids: [entity.id(row.item)] },
    }));
    const parsed = text.trim() === '' ? undefined : parseValue(param, text);
    if (!parsed || 'problem' in parsed || isSelection(parsed.value as Target)) return rows;
    const target = await findName(parsed.value as Target, entity, input, signal);
    if (!target) return rows;
    const label = printValue(param, target);
    const targetRow: Choice = {
      id: `matching ${label}`,
      isEcho: true,
      label,
      detail: await countText(entity, target, input, signal),
      value: target,
    };
    // A filter or a list of ids comes first. A bare word is more likely to be an item's name.
    return !('query' in target) || /[:<>]/.test(text) ? [targetRow, ...rows] : [...rows, targetRow];
  },
};

export const queryPrompt: Prompt<'query'> = {
  immediateRows: (input) => (input.text.trim() === '' ? NOTHING : problemOf(input)),
  load: async (input, signal) => {
    const parsed = parseValue(input.param, input.text.trim() || '*');
    if ('problem' in parsed) return [];
    const query = parsed.value as string;
    const detail = await countText(input.param.entity(), { query }, input, signal);
    return [{ id: 'typed', isEcho: true, label: printValue(input.param, query), detail, value: query }];
  },
};
