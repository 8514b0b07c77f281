import type { Context } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { parseValue, printValue } from '#commands/line/line.ts';
import { countTarget } from '#commands/run/lookup.ts';
import type { ArgValue, Kind } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { SELECTION, isSelection, type Target } from '#commands/model/target.ts';
import { checkValue } from '#commands/run/values.ts';
import { needle, scoreOf, tierOf } from '#commands/text/score.ts';

import { findItems, itemCandidate, itemRow, lineValues } from '#src/search/item-rows.ts';
import { NOTHING, type Answer, type Asked, type Choice, type Prompt } from './prompt.ts';
import { doneRow } from './several.ts';

const LIMIT = 20;

interface ItemChoice extends Choice {
  readonly value: string;
  readonly item: unknown;
}

/** Items that fit what is typed, those that fit better first, each with what a line would say. */
async function found(entity: AnyEntity, asked: Asked, signal: AbortSignal): Promise<readonly ItemChoice[]> {
  const text = asked.text.trim();
  const typed = needle(text);
  const fit = (item: unknown): number => tierOf(scoreOf(itemCandidate(entity, item, asked.say), typed) ?? 0);
  const inOrder = await findItems(entity, text, LIMIT, { ...asked.context, signal });
  const items = text === '' ? inOrder : inOrder.toSorted((a, b) => fit(b) - fit(a));
  const values = lineValues(entity, items);
  return items.map((item, index) => {
    const value = values[index] ?? entity.id(item);
    const problem = checkValue(asked.param as Param, ofKind(asked.param.kind, value, entity.id(item)), asked.context);
    return {
      ...itemRow(entity, item, asked.text, asked.say),
      value,
      item,
      ...(problem ? { reason: asked.say(problem) } : {}),
    };
  });
}

/** One item as a value of a param that takes items. */
function ofKind(kind: Kind, value: string, id: string): ArgValue {
  if (kind === 'many') return { ids: [id] };
  return kind === 'refs' ? [value] : value;
}

function creating(
  entity: AnyEntity,
  asked: Asked,
  rows: readonly Choice[],
): readonly Pick<Choice, 'id' | 'label' | 'echo'>[] {
  const name = asked.text.trim();
  if (name === '' || rows.some((row) => row.label.toLowerCase() === name.toLowerCase())) return [];
  return [
    {
      id: `create ${name}`,
      echo: true,
      label: asked.texts('palette.create', { entity: entityTexts.one(entity), name }),
    },
  ];
}

export const refPrompt: Prompt<'ref'> = {
  now: () => NOTHING,
  later: async (asked, signal) => {
    const plain = asked as unknown as Asked;
    const of = asked.param.entity();
    const rows = await found(of, plain, signal);
    return asked.param.orCreate
      ? [...rows, ...creating(of, plain, rows).map((row) => ({ ...row, value: asked.text.trim() }))]
      : rows;
  },
};

export const refsPrompt: Prompt<'refs'> = {
  now: (asked) => ({ rows: doneRow(asked, asked.value ?? []) }),
  later: async (asked, signal) => {
    const of = asked.param.entity();
    const rows = await found(of, asked, signal);
    const made = asked.param.orCreate
      ? creating(of, asked, rows).map((row) => ({ ...row, value: asked.text.trim() }))
      : [];
    return [...rows, ...made].map((row) => ({ ...row, toggles: true }));
  },
};

/** How many a target names, as a row's detail says it. */
async function counted(
  entity: AnyEntity,
  target: Target,
  { context, say }: Asked,
  signal: AbortSignal,
): Promise<string> {
  return say(entityTexts.count(entity, await countTarget(entity, target, { ...context, signal })));
}

/** What is wrong with a typed filter, as long as it is one. */
function problemOf(asked: Asked): Answer {
  const read = parseValue(asked.param as Param, asked.text);
  return 'problem' in read ? { rows: [], problem: read.problem } : NOTHING;
}

/**
 * Words that name nothing stand for what a search for them finds; and so does a single name, which is offered among
 * the items.
 */
async function orSearch(
  target: Target,
  entity: AnyEntity,
  asked: Asked,
  signal: AbortSignal,
): Promise<Target | undefined> {
  if (!('named' in target)) return target;
  if (target.named.includes(',') && (await exists(entity, target, { ...asked.context, signal }))) return target;
  const read = parseValue(asked.param as Param, `* ${target.named}`);
  return 'value' in read ? (read.value as Target) : undefined;
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
  now: (asked) => {
    const { param, text, context, say } = asked;
    const of = param.entity();
    const { focus } = context;
    if (/[:<>]/.test(text)) return problemOf(asked);
    if (text.trim() !== '' || focus?.entity !== of.name || !focus.target) return NOTHING;
    const detail = say(entityTexts.count(of, focus.count ?? 0));
    return {
      rows: [{ id: '@selection', label: focus.name ? say(focus.name) : '@selection', detail, value: SELECTION }],
    };
  },
  later: async (asked, signal) => {
    const { param, text } = asked;
    const of = param.entity();
    const rows = (await found(of, asked as unknown as Asked, signal)).map((row) => ({
      ...row,
      value: { ids: [of.id(row.item)] },
    }));
    const read = text.trim() === '' ? undefined : parseValue(param, text);
    if (!read || 'problem' in read || isSelection(read.value as Target)) return rows;
    const target = await orSearch(read.value as Target, of, asked, signal);
    if (!target) return rows;
    const label = printValue(param, target);
    const matching: Choice = {
      id: `matching ${label}`,
      echo: true,
      label,
      detail: await counted(of, target, asked, signal),
      value: target,
    };
    // A filter or a list of ids is meant as such; a bare word may rather be the name of one.
    return !('query' in target) || /[:<>]/.test(text) ? [matching, ...rows] : [...rows, matching];
  },
};

export const queryPrompt: Prompt<'query'> = {
  now: (asked) => (asked.text.trim() === '' ? NOTHING : problemOf(asked)),
  later: async (asked, signal) => {
    const read = parseValue(asked.param, asked.text.trim() || '*');
    if ('problem' in read) return [];
    const query = read.value as string;
    const detail = await counted(asked.param.entity(), { query }, asked, signal);
    return [{ id: 'typed', echo: true, label: printValue(asked.param, query), detail, value: query }];
  },
};
