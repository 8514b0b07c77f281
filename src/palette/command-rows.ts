import { availability, fitsSelection, isHidden, isInScope } from '#commands/core/availability';
import { texts, type Command } from '#commands/core/command';
import type { Context } from '#commands/core/context';
import type { Translate } from '#commands/core/message';
import type { Registry } from '#commands/core/registry';
import { commandWords } from '#commands/core/line';

import { recentOf, weightsOf } from './habits.ts';
import type { Group, Row } from './rows.ts';
import { candidate, type Candidate } from './score.ts';
import { createSearcher } from './searcher.ts';

export interface CommandRow extends Row {
  readonly command: Command;
}

/** What listing commands takes of the surface. */
export interface CommandListing {
  readonly registry: Registry;
  readonly context: Context;
  readonly say: Translate;
  readonly text: (key: string) => string;
  readonly keys: (of: Command) => string | undefined;
}

/** Made ready once for each text: the titles of a language do not change. */
const ready = new Map<string, Candidate>();

function readied(text: string): Candidate {
  const known = ready.get(text) ?? candidate(text);
  ready.set(text, known);
  return known;
}

/** Hits that are listed; further down nobody looks. */
const MOST = 200;
const RECENT = 5;
/** How far habit, the selection and the screen lift a command above one that fits the words a little better. */
const HABIT = 2;
const FITS = 4;
const IN_SCOPE = 1;
const UNAVAILABLE = -20;

/** Searches the commands that this host can offer. What is available is asked once, when the palette opens. */
export function commandSource(
  listing: CommandListing,
): (query: string, onlyFitting: boolean) => readonly Group<CommandRow>[] {
  const { registry, context, say } = listing;
  const focused = context.focus && registry.entity(context.focus.entity);
  const commands = registry.commands.filter((of) => !of.quiet && !isHidden(of, context));
  const titles = commands.map((of) => say(texts.title(of)));
  // The words of the line are found too: whoever knows `tag assign` may type it.
  const searcher = createSearcher(
    commands.map((of, at) => readied(`${titles[at]} ${commandWords(of, registry).join(' ')}`)),
  );
  const weights = weightsOf(context, 'command');
  const states = commands.map((of) => availability(of, context));
  const bonuses = commands.map(
    (of, at) =>
      HABIT * Math.log2(1 + (weights.get(of.id) ?? 0)) +
      (fitsSelection(of, context) ? FITS : 0) +
      (isInScope(of, focused) ? IN_SCOPE : 0) +
      (states[at]?.ok ? 0 : UNAVAILABLE),
  );

  const row = (at: number, ranges: Row['ranges'] = []): CommandRow => {
    const command = commands[at] as Command;
    const title = titles[at] ?? command.id;
    const state = states[at];
    const keys = listing.keys(command);
    return {
      id: command.id,
      command,
      label: title,
      ranges: ranges.filter(([from]) => from < title.length).map(([from, to]) => [from, Math.min(to, title.length)]),
      detail: commandWords(command, registry).join(' '),
      ...(keys === undefined ? {} : { keys }),
      ...(state && !state.ok ? { reason: say(state.reason.message) } : {}),
    };
  };

  const group = (id: string, places: readonly number[]): Group<CommandRow> => ({
    id,
    heading: listing.text(`palette.group.${id}`),
    rows: places.map((at) => row(at)),
  });

  /** Nothing typed: what fits the selection, then what was used last, then everything. */
  const everything = (onlyFitting: boolean): readonly Group<CommandRow>[] => {
    const places = [...commands.keys()].sort(
      (one, other) => (bonuses[other] ?? 0) - (bonuses[one] ?? 0) || one - other,
    );
    const fitting = places.filter((at) => fitsSelection(commands[at] as Command, context));
    if (onlyFitting) return [group('fits', fitting)];
    const recent = recentOf(context, 'command', RECENT).flatMap((id) => {
      const at = commands.findIndex((of) => of.id === id);
      return at < 0 || fitting.includes(at) ? [] : [at];
    });
    const listed = new Set([...fitting, ...recent]);
    const others = [...commands.keys()].filter((at) => !listed.has(at));
    return [group('fits', fitting), group('recent', recent), group('commands', others)];
  };

  return (query, onlyFitting) => {
    if (query === '') return everything(onlyFitting);
    const hits = searcher
      .search(query, MOST, (at) => bonuses[at] ?? 0)
      .filter(({ index }) => !onlyFitting || fitsSelection(commands[index] as Command, context));
    return [
      {
        id: 'commands',
        heading: listing.text('palette.group.commands'),
        rows: hits.map(({ index, ranges }) => row(index, ranges)),
      },
    ];
  };
}
