import { registry } from '#commands/nouns/all.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { failureOf } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { toSearch } from '#commands/line/link.ts';
import { targetParam } from '#commands/model/command.ts';

import type { ItemFact, Query } from '#src/auth/guard.ts';
import { contextNow } from '#src/run/context.ts';
import { printPanelItem } from '#src/panel/Panel.tsx';

// The addresses of spec 2 below a list: `/create`, `/{id}/update`, `/{id}/history`. The console shows items beside
// their list, so each leads to the list with the item in the panel, and with the command's form or the tab that it is
// about.

/** What an address ends in when it is about no item: verbs of commands that make one. */
const MAKING: readonly string[] = ['create', 'upload'];

/** What follows an item's id: the command to fill in for it, or the tab of what belongs to it. */
const OF_ITEM: Readonly<Record<string, { readonly verb?: string; readonly tab?: string }>> = {
  update: { verb: 'edit' },
  assign: { verb: 'assign' },
  history: { tab: 'history' },
};

/**
 * The item that an address below a list names, looked up as the person who opened it. One that is not there, or that is
 * none of these addresses, does not exist. @throws ConnectError when it cannot be looked up.
 */
export async function itemAt({ screen, shows }: Destination, rest: readonly string[]): Promise<ItemFact> {
  const list = screen.path;
  const nothing: ItemFact = { list, wellFormed: true, exists: false, shown: { to: list, search: {} } };
  if (!('entity' in shows)) return nothing;
  const { entity } = shows;
  const [first = '', suffix, ...more] = rest;
  if (suffix === undefined && MAKING.includes(first)) {
    const run = lineOf(entity, first);
    return run ? { ...nothing, exists: true, shown: { to: list, search: run } } : nothing;
  }
  const about = suffix === undefined ? {} : OF_ITEM[suffix];
  if (!about || more.length > 0) return nothing;
  const text = unescaped(first);
  if (text === undefined) return nothing;
  if (entity.numbered && !/^\d+$/.test(text)) return { ...nothing, wellFormed: false };
  const id = await idOf(entity, text);
  if (id === undefined)
    return { ...nothing, missing: message('core:lookup.none', { entity: entityTexts.one(entity), text }) };
  const search = {
    panel: [printPanelItem({ entity: entity.name, id })],
    ...(about.tab ? { tab: about.tab } : {}),
    ...(about.verb ? lineOf(entity, about.verb, id) : {}),
  };
  return { list, wellFormed: true, exists: true, shown: { to: list, search } };
}

function unescaped(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

async function idOf(entity: AnyEntity, text: string): Promise<string | undefined> {
  const context = contextNow();
  try {
    if (entity.isId(text)) {
      const [known] = await entity.byIds(context, [entity.toId(text)]);
      if (known !== undefined) return entity.id(known);
    }
    const [named] = await entity.find(context, text);
    return named === undefined ? undefined : entity.id(named);
  } catch (error) {
    // Some lists leave out what does not exist, others refuse to look for it (contract: ModemService.List).
    if (failureOf(error).code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * The command of an entity as a line that the address holds, for the screen to open its form; undefined where there
 * is no such command.
 */
function lineOf(entity: AnyEntity, verb: string, id?: string): Query | undefined {
  const command = registry.command(`${entity.name}.${verb}`);
  const target = command && targetParam(command);
  if (!command || (id !== undefined && !target)) return undefined;
  const args = target && id !== undefined ? { [target.name]: { ids: [id] } } : {};
  return toSearch({ id: command.id, args }, registry);
}
