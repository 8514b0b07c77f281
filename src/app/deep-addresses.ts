import { toSearch } from '#commands/line/link.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { failureOf } from '#commands/model/errors.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { message } from '#commands/text/message.ts';
import { FULL } from '#src/address/address.ts';
import { CREATE, itemScreenOf, itemScreenPath } from '#src/address/paths.ts';
import type { ItemFact, Query } from '#src/auth/guard.ts';
import { formatPanelItem } from '#src/panel/Panel.tsx';
import { loadCommands, loadEntity, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';

// Resolves URLs below a list (spec 2): `/create`, `/{id}/update`, `/{id}/history`, and `/{id}/create` for an item
// within another. The console shows items next to their list, so each URL redirects to the list with the item in the
// panel and the command's form or the tab open. The exceptions are items with a screen of their own, and entities whose
// items open full screen.

/** Suffixes of URLs that name no item. They are the verbs of commands that create an item. */
const CREATE_VERBS: readonly string[] = [CREATE, 'upload'];

/** Suffixes after an item's id, with the command to prefill or the tab to open. */
const ITEM_SUFFIXES: Readonly<Record<string, { readonly verb?: string; readonly tab?: string }>> = {
  update: { verb: 'edit' },
  assign: { verb: 'assign' },
  history: { tab: 'history' },
};

/**
 * Looks up the item in a URL below a list, as the current user. The item counts as missing if it does not exist or the
 * URL is not one of the known forms.
 *
 * @throws ConnectError if the lookup fails
 */
export async function findItem(destination: Destination, segments: readonly string[]): Promise<ItemFact> {
  const { screen, shows } = destination;
  const list = screen.path;
  const notFound = { list, isWellFormed: true, exists: false } satisfies ItemFact;
  if (!('entity' in shows)) return notFound;
  const entity = await loadEntity(shows.entity.name);
  if (!entity) return notFound;
  const [first = '', suffix, ...extraSegments] = segments;
  if (first === CREATE && itemScreenOf(destination, segments.join('/'))) return { ...notFound, exists: true };
  if (suffix === undefined && CREATE_VERBS.includes(first)) {
    // A noun may have a different verb for creating its items, such as `parser.upload`.
    const run = (await formSearch(entity, first)) ?? (await addForm(entity));
    return run ? { ...notFound, exists: true, target: { to: list, search: run } } : notFound;
  }
  if (suffix === CREATE && extraSegments.length === 0) return createdWithin(entity, first, notFound);
  const action = suffix === undefined ? {} : ITEM_SUFFIXES[suffix];
  if (!action || extraSegments.length > 0) return notFound;
  const text = unescapeSegment(first);
  if (text === undefined) return notFound;
  if (entity.numbered && !/^\d+$/.test(text)) return { ...notFound, isWellFormed: false };
  const id = (screen.itemScreens && (await findId(entity, `#${text}`))) ?? (await findId(entity, text));
  if (id === undefined)
    return { ...notFound, missingMessage: message('running:lookup.none', { entity: entityLabels.one(entity), text }) };
  const itemPath = suffix === undefined ? undefined : itemScreenPath(destination, suffix, id);
  if (itemPath !== undefined) {
    const found = { list, isWellFormed: true, exists: true };
    // A name in the URL gives way to the identifier, which never changes.
    return id === text ? found : { ...found, target: { to: itemPath, search: {} } };
  }
  const search = {
    panel: [formatPanelItem({ entity: entity.name, id })],
    ...(suffix === undefined && entity.opensFull ? { full: FULL } : {}),
    ...(action.tab ? { tab: action.tab } : {}),
    ...(action.verb ? await formSearch(entity, action.verb, id) : {}),
  };
  return { list, isWellFormed: true, exists: true, target: { to: list, search } };
}

/** Opens the form of the command that an empty list offers, if it belongs to the entity. */
async function addForm({ name, addCommand = '' }: AnyEntity): Promise<Query | undefined> {
  const [noun, verb] = addCommand.split('.');
  return noun === name && verb !== undefined ? formSearch({ name }, verb) : undefined;
}

/** Resolves `/{id}/create`: creates an item within an item of another entity, such as a field of a parser. */
async function createdWithin(entity: AnyEntity, segment: string, notFound: ItemFact): Promise<ItemFact> {
  const text = unescapeSegment(segment);
  const command = await loadCommand(`${entity.name}.${CREATE}`);
  const [name = ''] = command?.positional ?? [];
  const param = command?.params[name];
  if (text === undefined || !command || param?.kind !== 'ref') return notFound;
  const owner = param.entity();
  const id = await findId(owner, text);
  if (id === undefined)
    return { ...notFound, missingMessage: message('running:lookup.none', { entity: entityLabels.one(owner), text }) };
  const args = { [name]: `#${id}` };
  return {
    ...notFound,
    exists: true,
    target: { to: notFound.list, search: toSearch({ id: command.id, args }, registry()) },
  };
}

function unescapeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

async function findId(entity: AnyEntity, text: string): Promise<string | undefined> {
  const context = contextNow();
  try {
    if (entity.isId(text)) {
      const [item] = await entity.byIds(context, [entity.toId(text)]);
      if (item !== undefined) return entity.id(item);
    }
    const [match] = await entity.find(context, text);
    return match === undefined ? undefined : entity.id(match);
  } catch (error) {
    // Some list rpcs omit missing items, and others reject the request (contract: ModemService.List). No item has a
    // text that the server rejects as a search, such as one with a NUL character.
    if (['not_found', 'invalid_argument'].includes(failureOf(error).code)) return undefined;
    throw error;
  }
}

/**
 * Returns the search parameter that makes the screen open the form of an entity's command. Returns undefined if the
 * command doesn't exist.
 */
async function formSearch({ name }: Pick<AnyEntity, 'name'>, verb: string, id?: string): Promise<Query | undefined> {
  const command = await loadCommand(`${name}.${verb}`);
  const target = command && targetParam(command);
  if (!command || (id !== undefined && !target)) return undefined;
  const args = target && id !== undefined ? { [target.name]: { ids: [id] } } : {};
  return toSearch({ id: command.id, args }, registry());
}

async function loadCommand(id: string): Promise<Command | undefined> {
  await loadCommands([id]);
  return registry().command(id);
}
