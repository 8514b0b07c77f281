import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { availability, isHidden, isInScope } from '#commands/run/availability.ts';
import { SEVERAL } from '#commands/run/title.ts';
import type { Translate } from '#commands/text/message.ts';
import { candidate, match, needle } from '#commands/text/score.ts';
import { keysOf, workingKeysOf, type Overrides } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import type { Group, Row } from '#src/search/rows.ts';

export interface SheetRow extends Row {
  readonly command: Command;
}

interface SheetLabels {
  readonly translate: Translate;
  /** The heading for commands that belong to no entity. */
  readonly everywhere: string;
  /** The heading for commands that have no key. */
  readonly unbound: string;
  /** The heading for commands from other screens. */
  readonly elsewhere: string;
}

interface ScoredRow extends SheetRow {
  /** How well it matches the typed text. */
  readonly score: number;
}

interface SheetGroup {
  readonly heading: string;
  readonly rows: ScoredRow[];
}

/** The groups that belong to no entity, in order. They come last. */
const SHARED_GROUPS = ['everywhere', 'unbound', 'elsewhere'] as const;

/**
 * Groups the current keys by noun, filtered by the typed text, with the reason why a command is unavailable. Commands
 * without a key follow, so users can bind them. While searching, commands from other screens come last.
 */
export function sheetGroups(
  registry: Registry,
  context: Context,
  overrides: Overrides,
  typedText: string,
  { translate, ...headings }: SheetLabels,
): readonly Group<SheetRow>[] {
  const query = needle(typedText);
  const focusedEntity = context.focus && registry.entity(context.focus.entity);
  const groups = new Map<string, SheetGroup>();
  const createGroup = (id: string, heading: string): SheetGroup => {
    const group = groups.get(id) ?? { heading, rows: [] };
    groups.set(id, group);
    return group;
  };
  for (const command of registry.commands) {
    const isCommandInScope = isInScope(command, focusedEntity);
    if (isHidden(command, context) || (!isCommandInScope && typedText === '')) continue;
    const label = translate(commandLabels.title(command));
    const sequences = keysOf(command, overrides);
    const workingSequences = workingKeysOf(command, overrides);
    const keys = toKeyHint(workingSequences);
    const inLabel = match(candidate(label), query);
    const hit = inLabel ?? match(candidate(`${keys.text}\n${translate(commandLabels.title(command, SEVERAL))}`), query);
    if (!hit) continue;
    const entity = command.on?.();
    const sharedGroup = !isCommandInScope
      ? 'elsewhere'
      : sequences.length === 0
        ? 'unbound'
        : entity
          ? undefined
          : 'everywhere';
    const group = sharedGroup
      ? createGroup(sharedGroup, headings[sharedGroup])
      : createGroup(`of ${entity?.name}`, entity ? translate(entityLabels.title(entity)) : '');
    const state = availability(command, context);
    group.rows.push({
      id: command.id,
      command,
      label,
      score: hit.score,
      ranges: inLabel?.ranges ?? [],
      ...(workingSequences.length > 0 ? { keys } : {}),
      ...(state.ok ? {} : { reason: translate(state.reason.message) }),
    });
  }
  const position = (id: string): number => SHARED_GROUPS.findIndex((item) => item === id);
  const bestScore = ({ rows }: SheetGroup): number => Math.max(...rows.map(({ score }) => score));
  const compareScores = (a: number, b: number): number => (typedText === '' ? 0 : b - a);
  // Keys of the current entity come before keys that work everywhere. When searching, the best match comes first.
  return [...groups]
    .sort(
      ([a, groupA], [b, groupB]) => compareScores(bestScore(groupA), bestScore(groupB)) || position(a) - position(b),
    )
    .map(([id, { heading, rows }]) => ({
      id,
      heading,
      rows: rows.toSorted((a, b) => compareScores(a.score, b.score)),
    }));
}
