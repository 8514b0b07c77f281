import { availability } from '#commands/core/availability';
import { texts, type Command } from '#commands/core/command';
import type { Context } from '#commands/core/context';
import { entityTexts } from '#commands/core/entity';
import type { Translate } from '#commands/core/message';
import type { Registry } from '#commands/core/registry';

import type { Group, Row } from '../palette/rows.ts';
import { candidate, match, needle } from '#commands/text/score';
import { bindingsFor, type Overrides } from './bindings.ts';
import { formatKeys } from './format.ts';

export interface SheetRow extends Row {
  readonly command: Command;
}

/** What keys do here and now, by noun, as far as it fits what is typed; what cannot be done now with its reason. */
export function sheetGroups(
  registry: Registry,
  context: Context,
  overrides: Overrides,
  typed: string,
  { say, everywhere }: { readonly say: Translate; readonly everywhere: string },
): readonly Group<SheetRow>[] {
  const wanted = needle(typed);
  const groups = new Map<string, { heading: string; rows: SheetRow[] }>();
  const keys = new Map<Command, string[]>();
  for (const { command, keys: sequence } of bindingsFor(registry, context, overrides)) {
    keys.set(command, [...(keys.get(command) ?? []), formatKeys(sequence)]);
  }
  for (const [command, sequences] of keys) {
    const label = say(texts.title(command));
    const found = match(candidate(label), wanted) ?? match(candidate(sequences.join(' ')), wanted);
    if (!found) continue;
    const of = command.on?.();
    const group = groups.get(of?.name ?? '') ?? { heading: of ? say(entityTexts.title(of)) : everywhere, rows: [] };
    const state = availability(command, context);
    group.rows.push({
      id: command.id,
      command,
      label,
      ranges: match(candidate(label), wanted)?.ranges ?? [],
      keys: sequences.join('  '),
      ...(state.ok ? {} : { reason: say(state.reason.message) }),
    });
    groups.set(of?.name ?? '', group);
  }
  // The keys of what is on the screen before those that work everywhere.
  return [...groups]
    .sort(([one], [other]) => Number(one === '') - Number(other === ''))
    .map(([id, group]) => ({ id, ...group }));
}
