import { commandWords } from '#commands/line/line-head.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { availability, canTargetSelection, isHidden } from '#commands/run/availability.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import type { Range } from '#commands/text/score.ts';
import { recentIds, weightsOf } from '#src/search/habits.ts';
import type { Group, Row } from '#src/search/rows.ts';
import type { Hit } from '#src/search/searcher.ts';
import type { KeyHint } from '#src/ui/key-hint.ts';

import { commandIndex } from './command-index.ts';
import type { SearchResult } from './rank.ts';
import type { NounWords } from './synonyms.ts';

export interface CommandRow extends Row {
  readonly command: Command;
}

/** The data that {@link commandSource} needs. */
export interface CommandListing {
  readonly registry: Registry;
  readonly context: Context;
  readonly language: string;
  readonly translate: Translate;
  readonly t: (key: string, values?: Message['values']) => string;
  readonly keys: (command: Command) => KeyHint | undefined;
  readonly words: NounWords;
}

/** Returns the target's name, or an empty string if there is no target. */
function targetName({ focus }: Context, translate: Translate): string {
  return focus?.name ? translate(focus.name) : '';
}

export interface CommandSource {
  /** Lists all commands, for an empty query. */
  list(onlyApplicable: boolean): readonly Group<CommandRow>[];
  /** The results of a query, best first. */
  search(query: string, onlyApplicable: boolean): readonly SearchResult<CommandRow>[];
}

/** Maximum number of commands in a list. Users find the others by searching. */
const MAX_COMMANDS = 100;
const MAX_RECENT_COMMANDS = 5;
// Bonuses rank a command above commands that match slightly better, if the user runs it often, or if it applies to the
// selection or the screen.
const HABIT_BONUS = 2;
const SELECTION_BONUS = 4;
const SCREEN_BONUS = 1;

/**
 * Lists and searches the commands that this host can offer. Checks availability only for listed commands, so the time
 * to open the palette does not grow with the number of commands.
 */
export function commandSource(listing: CommandListing): CommandSource {
  const { registry, context, translate, t } = listing;
  const { commands, titles, searcher, indexById, indexesByTarget, indexesByScreen } = commandIndex(listing);
  const focusedEntity = context.focus && registry.entity(context.focus.entity);
  const weights = weightsOf(context, 'command');

  const commandAt = (index: number): Command => commands[index] as Command;
  const isOffered = (index: number): boolean => !isHidden(commandAt(index), context);
  const habit = (index: number): number => HABIT_BONUS * Math.log2(1 + (weights.get(commandAt(index).id) ?? 0));
  const screenIndexes = focusedEntity ? (indexesByScreen.get(focusedEntity.name) ?? []) : [];
  const applicableIndexes = (focusedEntity ? (indexesByTarget.get(focusedEntity.name) ?? []) : []).filter(
    (index) => canTargetSelection(commandAt(index), context) && isOffered(index),
  );

  // The bonuses by index. Most commands have none.
  const bonuses = new Map<number, number>();
  const addBonus = (index: number, bonus: number): unknown => bonuses.set(index, (bonuses.get(index) ?? 0) + bonus);
  for (const id of weights.keys()) {
    const index = indexById.get(id);
    if (index !== undefined) addBonus(index, habit(index));
  }
  for (const index of applicableIndexes) addBonus(index, SELECTION_BONUS);
  for (const index of screenIndexes) addBonus(index, SCREEN_BONUS);

  const createRow = (index: number): CommandRow => {
    const command = commandAt(index);
    const state = availability(command, context);
    const keys = listing.keys(command);
    return {
      id: command.id,
      command,
      label: titles[index] ?? command.id,
      ranges: [],
      detail: commandWords(command, registry).join(' '),
      ...(keys === undefined ? {} : { keys }),
      ...(state.ok ? {} : { reason: translate(state.reason.message) }),
    };
  };
  /** The rows by index, cached because the matching commands hardly change while the user types. */
  const rows = new Map<number, CommandRow>();
  const rowAt = (index: number): CommandRow => {
    const cachedRow = rows.get(index);
    if (cachedRow) return cachedRow;
    const row = createRow(index);
    rows.set(index, row);
    return row;
  };

  /**
   * Returns a row that marks the matching letters of its label. Matches in the command's other names aren't marked.
   */
  const markedRow = (hit: Hit): CommandRow => {
    const row = rowAt(hit.index);
    const { length } = row.label;
    return {
      ...row,
      get ranges(): readonly Range[] {
        const inLabel = hit.ranges.filter(([from]) => from < length);
        return inLabel.map(([from, to]) => [from, Math.min(to, length)]);
      },
    };
  };

  /** Creates a group. Unavailable commands come last, with their reasons. */
  const group = (id: string, rows: readonly CommandRow[]): Group<CommandRow> => ({
    id,
    heading: t(`palette.group.${id}`, {
      organization: context.organization.name,
      target: targetName(context, translate),
    }),
    rows: [
      ...rows.filter((commandRow) => commandRow.reason === undefined),
      ...rows.filter((commandRow) => commandRow.reason !== undefined),
    ],
  });

  /** Lists the commands that apply to the selection, then recent commands, and then all others. */
  const listGroups = (onlyApplicable: boolean): readonly Group<CommandRow>[] => {
    const applicableGroup = group('fits', applicableIndexes.toSorted((a, b) => habit(b) - habit(a)).map(rowAt));
    if (onlyApplicable) return [applicableGroup];
    const listedIndexes = new Set(applicableIndexes);
    const recentIndexes = recentIds(context, 'command', MAX_RECENT_COMMANDS).flatMap((id) => indexById.get(id) ?? []);
    const unlistedRecent = recentIndexes.filter((index) => !listedIndexes.has(index) && isOffered(index));
    for (const index of unlistedRecent) listedIndexes.add(index);
    const otherIndexes: number[] = [];
    for (let index = 0; index < commands.length && otherIndexes.length < MAX_COMMANDS; index++) {
      if (!listedIndexes.has(index) && isOffered(index)) otherIndexes.push(index);
    }
    return [applicableGroup, group('recent', unlistedRecent.map(rowAt)), group('commands', otherIndexes.map(rowAt))];
  };

  return {
    list: listGroups,
    search: (query, onlyApplicable) =>
      searcher
        .search(query, MAX_COMMANDS, (index) => bonuses.get(index) ?? 0)
        .filter(({ index }) => (onlyApplicable ? applicableIndexes.includes(index) : isOffered(index)))
        .map((hit) => ({ kind: 'command', row: markedRow(hit), score: hit.score })),
  };
}
