import { availability, isHidden, isInScope } from '#commands/run/availability.ts';
import { texts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { entityTexts } from '#commands/model/entity.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { SEVERAL } from '#commands/run/title.ts';

import type { Group, Row } from '#src/search/rows.ts';
import { candidate, match, needle } from '#commands/text/score.ts';
import { keysOf, type Overrides } from '#src/keymap/bindings.ts';
import { formatKeys } from '#src/keymap/format.ts';

export interface SheetRow extends Row {
  readonly command: Command;
}

interface SheetTexts {
  readonly say: Translate;
  /** The headings of what has no entity, of what has no key, and of what works on other screens. */
  readonly everywhere: string;
  readonly unbound: string;
  readonly elsewhere: string;
}

interface ScoredRow extends SheetRow {
  /** How well it fits what is typed. */
  readonly score: number;
}

interface SheetGroup {
  readonly heading: string;
  readonly rows: ScoredRow[];
}

/** What the groups are called that are not of an entity, in the order in which they follow those. */
const LAST = ['everywhere', 'unbound', 'elsewhere'] as const;

/**
 * What keys do here and now, by noun, as far as it fits what is typed; what cannot be done now with its reason. Then
 * what works here without a key, so that it can be given one; and for who looks for something, what works elsewhere.
 */
export function sheetGroups(
  registry: Registry,
  context: Context,
  overrides: Overrides,
  typed: string,
  { say, ...headings }: SheetTexts,
): readonly Group<SheetRow>[] {
  const wanted = needle(typed);
  const focused = context.focus && registry.entity(context.focus.entity);
  const groups = new Map<string, SheetGroup>();
  const groupOf = (id: string, heading: string): SheetGroup => {
    const group = groups.get(id) ?? { heading, rows: [] };
    groups.set(id, group);
    return group;
  };
  for (const command of registry.commands) {
    const isHere = isInScope(command, focused);
    if (isHidden(command, context) || (!isHere && typed === '')) continue;
    const label = say(texts.title(command));
    const sequences = keysOf(command, overrides).map((keys) => formatKeys(keys));
    const inLabel = match(candidate(label), wanted);
    const found = inLabel ?? match(candidate(`${sequences.join(' ')}\n${say(texts.title(command, SEVERAL))}`), wanted);
    if (!found) continue;
    const of = command.on?.();
    const shared = !isHere ? 'elsewhere' : sequences.length === 0 ? 'unbound' : of ? undefined : 'everywhere';
    const group = shared
      ? groupOf(shared, headings[shared])
      : groupOf(`of ${of?.name}`, of ? say(entityTexts.title(of)) : '');
    const state = availability(command, context);
    group.rows.push({
      id: command.id,
      command,
      label,
      score: found.score,
      ranges: inLabel?.ranges ?? [],
      ...(sequences.length > 0 ? { keys: sequences.join('  ') } : {}),
      ...(state.ok ? {} : { reason: say(state.reason.message) }),
    });
  }
  const place = (id: string): number => LAST.findIndex((item) => item === id);
  const best = ({ rows }: SheetGroup): number => Math.max(...rows.map(({ score }) => score));
  const typedOrder = (a: number, b: number): number => (typed === '' ? 0 : b - a);
  // The keys of what is on the screen before those that work everywhere; what fits best first, for who looks for
  // something.
  return [...groups]
    .sort(([a, one], [b, other]) => typedOrder(best(one), best(other)) || place(a) - place(b))
    .map(([id, { heading, rows }]) => ({
      id,
      heading,
      rows: rows.toSorted((a, b) => typedOrder(a.score, b.score)),
    }));
}
