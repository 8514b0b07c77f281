import { availability, fitsSelection, isHidden } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { commandWords } from '#commands/line/line-head.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { commandIndex } from './command-index.ts';
import { recentOf, weightsOf } from '#src/search/habits.ts';
import type { Found } from './rank.ts';
import type { Group, Row } from '#src/search/rows.ts';

export interface CommandRow extends Row {
  readonly command: Command;
}

/** What listing commands takes of the surface. */
export interface CommandListing {
  readonly registry: Registry;
  readonly context: Context;
  readonly language: string;
  readonly say: Translate;
  readonly text: (key: string, values?: Message['values']) => string;
  readonly keys: (command: Command) => string | undefined;
}

/** What the target is called; empty while there is none, and then nothing is listed for it. */
function targetName({ focus }: Context, say: Translate): string {
  return focus?.name ? say(focus.name) : '';
}

export interface CommandSource {
  /** What is listed while nothing is typed. */
  everything(onlyFitting: boolean): readonly Group<CommandRow>[];
  /** What a query finds, best first. */
  search(query: string, onlyFitting: boolean): readonly Found<CommandRow>[];
}

/** Commands that are listed; further down nobody looks. */
const MOST = 100;
const RECENT = 5;
/** How far habit, the selection and the screen lift a command above one that fits the words a little better. */
const HABIT = 2;
const FITS = 4;
const OF_SCREEN = 1;

/**
 * Lists the commands that this host can offer. What a person may do here is asked of those that are listed, not of all
 * there are, so that opening does not take longer with each command.
 */
export function commandSource(listing: CommandListing): CommandSource {
  const { registry, context, language, say, text } = listing;
  const { commands, titles, searcher, places, actingOn, belongingTo } = commandIndex(registry, language, say);
  const focused = context.focus && registry.entity(context.focus.entity);
  const weights = weightsOf(context, 'command');

  const at = (place: number): Command => commands[place] as Command;
  const offered = (place: number): boolean => !isHidden(at(place), context);
  const habit = (place: number): number => HABIT * Math.log2(1 + (weights.get(at(place).id) ?? 0));
  const ofScreen = focused ? (belongingTo.get(focused.name) ?? []) : [];
  const fitting = (focused ? (actingOn.get(focused.name) ?? []) : []).filter(
    (place) => fitsSelection(at(place), context) && offered(place),
  );

  // Few have one: most of what is searched is looked up here and not found.
  const bonuses = new Map<number, number>();
  const lift = (place: number, by: number): unknown => bonuses.set(place, (bonuses.get(place) ?? 0) + by);
  for (const id of weights.keys()) {
    const place = places.get(id);
    if (place !== undefined) lift(place, habit(place));
  }
  for (const place of fitting) lift(place, FITS);
  for (const place of ofScreen) lift(place, OF_SCREEN);

  const row = (place: number, ranges: Row['ranges'] = []): CommandRow => {
    const command = at(place);
    const title = titles[place] ?? command.id;
    const state = availability(command, context);
    const keys = listing.keys(command);
    return {
      id: command.id,
      command,
      label: title,
      ranges: ranges.filter(([from]) => from < title.length).map(([from, to]) => [from, Math.min(to, title.length)]),
      detail: commandWords(command, registry).join(' '),
      ...(keys === undefined ? {} : { keys }),
      ...(state.ok ? {} : { reason: say(state.reason.message) }),
    };
  };

  /** What cannot be done now stands below what can, with its reason. */
  const group = (id: string, rows: readonly CommandRow[]): Group<CommandRow> => ({
    id,
    heading: text(`palette.group.${id}`, { organization: context.organization.name, target: targetName(context, say) }),
    rows: [
      ...rows.filter((commandRow) => commandRow.reason === undefined),
      ...rows.filter((commandRow) => commandRow.reason !== undefined),
    ],
  });

  /** Nothing typed: what fits the selection, then what was used last, then everything. */
  const everything = (onlyFitting: boolean): readonly Group<CommandRow>[] => {
    const first = group(
      'fits',
      fitting.toSorted((a, b) => habit(b) - habit(a)).map((place) => row(place)),
    );
    if (onlyFitting) return [first];
    const listed = new Set(fitting);
    const recent = recentOf(context, 'command', RECENT).flatMap((id) => places.get(id) ?? []);
    const recently = recent.filter((place) => !listed.has(place) && offered(place));
    for (const place of recently) listed.add(place);
    const others: number[] = [];
    for (let place = 0; place < commands.length && others.length < MOST; place++) {
      if (!listed.has(place) && offered(place)) others.push(place);
    }
    return [
      first,
      group(
        'recent',
        recently.map((place) => row(place)),
      ),
      group(
        'commands',
        others.map((place) => row(place)),
      ),
    ];
  };

  return {
    everything,
    search: (query, onlyFitting) =>
      searcher
        .search(query, MOST, (place) => bonuses.get(place) ?? 0)
        .filter(({ index }) => (onlyFitting ? fitting.includes(index) : offered(index)))
        .map(({ index, ranges, score }) => ({ kind: 'command', row: row(index, ranges), score })),
  };
}
