import { availability, isHidden } from '#commands/run/availability.ts';
import { targetParam, texts } from '#commands/model/command.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { onlyIds } from '#commands/query/edit.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { inTier, TIER } from '#commands/text/score.ts';

import type { CommandListing } from './command-rows.ts';
import type { Source } from './item-source.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/** Several items by their ids. */
interface NamedItems {
  readonly of: AnyEntity;
  readonly ids: readonly string[];
}

/** The entities whose ids a text consists of, two or more: `831C 16AA, A381 1C9D`, pasted from a sheet or a mail. */
export function namedItems(text: string, registry: Registry): readonly NamedItems[] {
  return registry.entities.flatMap((entity) => {
    const ids = idsIn(text, entity);
    return ids && ids.length > 1 ? [{ of: entity, ids }] : [];
  });
}

function idsIn(text: string, entity: AnyEntity): readonly string[] | undefined {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  // Where any number is an id, only `#12` is meant as one.
  const isId = (word: string): boolean => entity.isId(word) && (word.startsWith('#') || !entity.isId('1'));
  const ids: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const pair = `${word} ${words[at + 1] ?? ''}`;
    if (isId(word)) ids.push(entity.toId(word));
    else if (isId(pair)) {
      ids.push(entity.toId(pair));
      at++;
    } else return undefined;
  }
  return [...new Set(ids)];
}

/** Shows them, and does to them whatever can be done to such items. What does not exist is named. */
export function namedSource(typed: string, listing: CommandListing): Source | undefined {
  const named = namedItems(typed, listing.registry);
  if (named.length === 0) return undefined;
  return {
    id: `named ${typed}`,
    load: async (context) =>
      Promise.all(
        named.map(async ({ of, ids }) => {
          const found = new Set((await of.byIds(context, ids)).map((item) => of.id(item)));
          return { of, ids: ids.filter((id) => found.has(id)), missing: ids.filter((id) => !found.has(id)) };
        }),
      ),
    rows: (answers, settled) =>
      settled ? (answers as readonly Answered[]).flatMap((answered) => rowsOf(answered, listing)) : [],
  };
}

interface Answered extends NamedItems {
  readonly missing: readonly string[];
}

function rowsOf({ of, ids, missing }: Answered, listing: CommandListing): readonly Found<SearchRow>[] {
  const { registry, context, say, text, keys } = listing;
  const items = say(entityTexts.count(of, ids.length));
  const show: SearchRow = {
    id: `named ${of.name}`,
    label: text('palette.showNamed', { items }),
    ...(missing.length > 0 ? { detail: text('palette.notFound', { ids: missing.join(', ') }) } : {}),
    ...(ids.length === 0 ? { reason: text('palette.notFound', { ids: missing.join(', ') }) } : {}),
    invocation: { id: `${of.name}.list`, args: { filter: onlyIds(parseFilter('', of), ids) ?? '' } },
  };
  const lists = of.idKey !== undefined && registry.command(`${of.name}.list`) !== undefined;
  const shown: readonly Found<SearchRow>[] =
    lists || ids.length === 0 ? [{ kind: 'item', row: show, score: inTier(TIER.exact, 0) }] : [];
  if (ids.length === 0) return shown;
  const acting = registry.commands.filter(
    (command) => targetParam(command)?.entity === of && !isHidden(command, context),
  );
  const commands = acting.map((command, index): Found<SearchRow> => {
    const state = availability(command, context);
    const target = targetParam(command)?.name ?? '';
    const shortcut = keys(command);
    const row: SearchRow = {
      id: `named ${command.id}`,
      label: `${say(texts.title(command, ids.length))}: ${items}`,
      ...(shortcut === undefined ? {} : { keys: shortcut }),
      ...(state.ok ? {} : { reason: say(state.reason.message) }),
      invocation: { id: command.id, args: { [target]: { ids } } },
    };
    return { kind: 'command', row, score: inTier(TIER.words, -index) };
  });
  return [...shown, ...commands];
}
