import { targetParam, commandLabels } from '#commands/model/command.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { onlyIds } from '#commands/query/edit.ts';
import { noFilter } from '#commands/query/no-filter.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { availability, isHidden } from '#commands/run/availability.ts';
import { inTier, TIER } from '#commands/text/score.ts';

import type { CommandListing } from './command-rows.ts';
import type { Source } from './item-source.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/** The ids of several items of an entity. */
interface IdList {
  readonly entity: AnyEntity;
  readonly ids: readonly string[];
}

/** Finds the ids of several items in pasted text, such as `831C 16AA, A381 1C9D` from an email. */
export function findIdLists(text: string, registry: Registry): readonly IdList[] {
  return registry.entities.flatMap((entity) => {
    const ids = idsIn(text, entity);
    return ids && ids.length > 1 ? [{ entity, ids }] : [];
  });
}

function idsIn(text: string, entity: AnyEntity): readonly string[] | undefined {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  // If every number could be an id, only numbers with a `#` count as ids.
  const isId = (word: string): boolean => entity.isId(word) && (word.startsWith('#') || !entity.isId('1'));
  const ids: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const pair = `${word} ${words[index + 1] ?? ''}`;
    if (isId(word)) ids.push(entity.toId(word));
    else if (isId(pair)) {
      ids.push(entity.toId(pair));
      index++;
    } else return undefined;
  }
  return [...new Set(ids)];
}

/** Creates a source with a row that shows the items and a row for each command that acts on them. */
export function idListSource(typedText: string, listing: CommandListing): Source | undefined {
  const idLists = findIdLists(typedText, listing.registry);
  if (idLists.length === 0) return undefined;
  return {
    id: `named ${typedText}`,
    load: async (context) =>
      Promise.all(
        idLists.map(async ({ entity, ids }) => {
          const existingIds = new Set((await entity.byIds(context, ids)).map((item) => entity.id(item)));
          return {
            entity,
            ids: ids.filter((id) => existingIds.has(id)),
            missingIds: ids.filter((id) => !existingIds.has(id)),
          };
        }),
      ),
    rows: (lookups, isCurrent) =>
      isCurrent ? (lookups as readonly IdLookup[]).flatMap((lookup) => lookupRows(lookup, listing)) : [],
  };
}

interface IdLookup extends IdList {
  readonly missingIds: readonly string[];
}

function lookupRows(
  { entity, ids, missingIds }: IdLookup,
  listing: CommandListing,
): readonly SearchResult<SearchRow>[] {
  const { registry, context, translate, t, keys } = listing;
  const items = translate(entityLabels.count(entity, ids.length));
  const show: SearchRow = {
    id: `named ${entity.name}`,
    label: t('palette.showNamed', { items }),
    ...(missingIds.length > 0 ? { detail: t('palette.notFound', { ids: missingIds.join(', ') }) } : {}),
    ...(ids.length === 0 ? { reason: t('palette.notFound', { ids: missingIds.join(', ') }) } : {}),
    invocation: { id: `${entity.name}.list`, args: { filter: onlyIds(noFilter(entity), ids) ?? '' } },
  };
  const hasList = entity.idKey !== undefined && registry.command(`${entity.name}.list`) !== undefined;
  const showRows: readonly SearchResult<SearchRow>[] =
    hasList || ids.length === 0 ? [{ kind: 'item', row: show, score: inTier(TIER.exact, 0) }] : [];
  if (ids.length === 0) return showRows;
  const targetCommands = registry.commands.filter(
    (command) => targetParam(command)?.entity === entity && !isHidden(command, context),
  );
  const commands = targetCommands.map((command, index): SearchResult<SearchRow> => {
    const state = availability(command, context);
    const target = targetParam(command)?.name ?? '';
    const shortcut = keys(command);
    const row: SearchRow = {
      id: `named ${command.id}`,
      label: `${translate(commandLabels.title(command, ids.length))}: ${items}`,
      ...(shortcut === undefined ? {} : { keys: shortcut }),
      ...(state.ok ? {} : { reason: translate(state.reason.message) }),
      invocation: { id: command.id, args: { [target]: { ids } } },
    };
    return { kind: 'command', row, score: inTier(TIER.words, -index) };
  });
  return [...showRows, ...commands];
}
