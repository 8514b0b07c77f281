import { create } from '@bufbuild/protobuf';

import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import { requireCapability, type RunContext } from '#commands/model/context.ts';
import type { AnyEntity, Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { ANY_TYPE, type FileContent } from '#commands/model/files.ts';
import { p, required } from '#commands/model/params.ts';
import { maybeChanged, succeededResults, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { MAX_FILE_BYTES } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { type File, FileSchema } from '#proto/gen/hiber/file_pb.ts';

import { type CallContext, send } from './bulk-action.ts';
import { createIdentifier, findFile, isNamed, MAX_INLINE_BYTES, toContent } from './file-item.ts';

/** Files to add to items, and the identifiers of files to remove from them. */
export interface FileChange {
  readonly add: File[];
  readonly remove: string[];
}

/** An entity whose items have files. */
interface FileOwner<Item> {
  readonly entity: Entity<Item>;
  /** The name of the param for the items. The default is the entity's plural. */
  readonly target?: string;
  readonly files: (item: Item) => readonly File[];
  readonly requires: {
    readonly attach: Ability | readonly Ability[];
    readonly detach: Ability | readonly Ability[];
  };
  /** The organization of an item, if lists can include items of other organizations. */
  readonly organization?: (item: Item) => string;
  /** Items per call, if the contract limits them. */
  readonly size?: number;
  readonly update: (context: CallContext, items: readonly Item[], change: FileChange) => Promise<void>;
}

const FIELD = message('common:files.field');

/** Declares the commands to attach, detach, and download the files of an entity's items. */
export function fileCommands<Item>(owner: FileOwner<Item>): readonly Command[] {
  return [attachFile(owner), detachFile(owner), downloadFile(owner)];
}

function attachFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  const target = owner.target ?? entity.plural;
  const itemsOf = (args: object) => (args as Record<string, SelectedItems<Item>>)[target]!.items;
  return command({
    id: `${entity.name}.attach-file`,
    on: () => entity as unknown as AnyEntity,
    requires: owner.requires.attach,
    effect: 'write',
    params: {
      [target]: p.many(() => entity as unknown as AnyEntity),
      file: required(p.file({ accept: [ANY_TYPE], maxBytes: MAX_FILE_BYTES })),
    },
    positional: [target, 'file'],
    plan: async (_context, args) => {
      const { name } = args['file'] as FileContent;
      return {
        summary: message('common:files.attach', { name }),
        count: itemsOf(args).length,
        changes: itemsOf(args).map((item) => ({
          id: entity.id(item),
          label: entity.label(item),
          field: FIELD,
          added: [name],
        })),
        ...stagesFor(itemsOf(args).length),
        reversible: true,
      };
    },
    run: async (context, args) => {
      const content = args['file'] as FileContent;
      const identifier = createIdentifier(context);
      const storedIn = await uploadLarge(owner, context, itemsOf(args), identifier, content);
      const attach = fileSender(storedIn, identifier, content);
      const { results } = await send(
        context,
        entity,
        {
          ...callOptions(owner),
          call: async (callContext: CallContext, items: readonly Item[]) =>
            attach(callContext, (file) => owner.update(callContext, items, { add: [file], remove: [] })),
        },
        itemsOf(args),
        undefined,
      );
      return {
        changed: [entity.name],
        results,
        message: doneMessage('attached', content.name, results),
        data: { file: identifier },
      };
    },
    inverse: (_args, outcome) => {
      const ids = maybeChanged(outcome).map(({ id }) => id);
      const { file } = outcome.data as { readonly file: string };
      return ids.length === 0 ? [] : [{ id: `${entity.name}.detach-file`, args: { [target]: { ids }, file } }];
    },
  });
}

const callOptions = <Item>({ organization, size }: FileOwner<Item>) => ({
  ...(organization ? { organization } : {}),
  ...(size === undefined ? {} : { size }),
});

const doneMessage = (key: 'attached' | 'detached', name: string, results: Outcome['results'] & object) => {
  const { length: count } = succeededResults({ results });
  return count === 0 ? message('common:done.nothing') : message(`common:files.${key}`, { name, count });
};

/**
 * Stores a large file in each organization of the items, over plain HTTP, before anything refers to it. So if the user
 * cancels that, or if it fails, the run ends as a whole, and no item has changed.
 *
 * @returns the organizations that have the file
 */
async function uploadLarge<Item>(
  owner: FileOwner<Item>,
  context: RunContext,
  items: readonly Item[],
  identifier: string,
  content: FileContent,
): Promise<Set<string>> {
  if (content.bytes.byteLength <= MAX_INLINE_BYTES) return new Set();
  const organizations = [...new Set(items.map((item) => owner.organization?.(item) ?? context.organization.id))];
  const total = organizations.length * 100;
  for (const [index, organization] of organizations.entries()) {
    const onProgress = (fraction: number) => context.progress({ done: index * 100 + Math.floor(fraction * 99), total });
    await requireCapability(context, 'files').upload(
      { ...content, organization, identifier },
      context.stop,
      onProgress,
    );
  }
  return new Set(organizations);
}

/** Sends the content only once per organization: later calls refer to the stored file. */
function fileSender(storedIn: Set<string>, identifier: string, { name, mediaType, bytes }: FileContent) {
  return async ({ organization }: CallContext, attach: (file: File) => Promise<void>): Promise<void> => {
    const isInline = !storedIn.has(organization);
    await attach(
      create(FileSchema, {
        identifier,
        ...(isInline ? { name, mediaType, content: { case: 'dataRaw', value: bytes } } : {}),
      }),
    );
    storedIn.add(organization);
  };
}

/** Removes a file from items. The server deletes it if nothing else refers to it (contract: delete_files). */
function detachFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  const target = owner.target ?? entity.plural;
  const itemsOf = (args: object) => (args as Record<string, SelectedItems<Item>>)[target]!.items;
  const matches = (item: Item, text: string) => owner.files(item).filter((file) => isNamed(file, text));
  const affectedItems = (args: object, text: string): readonly Item[] => {
    const items = itemsOf(args).filter((item) => matches(item, text).length > 0);
    if (items.length === 0) throw new CommandError(message('common:files.none', { name: text }), 'file');
    return items;
  };
  return command({
    id: `${entity.name}.detach-file`,
    on: () => entity as unknown as AnyEntity,
    requires: owner.requires.detach,
    effect: 'destructive',
    params: {
      [target]: p.many(() => entity as unknown as AnyEntity),
      file: required(p.text({ placeholder: 'photo.jpg' })),
    },
    positional: [target, 'file'],
    plan: async (_context, args) => {
      const text = args['file'];
      const items = affectedItems(args, text);
      const name = matches(items[0]!, text)[0]!.name;
      return {
        summary: message('common:files.detach', { name }),
        count: items.length,
        changes: items.map((item) => ({
          id: entity.id(item),
          label: entity.label(item),
          field: FIELD,
          removed: matches(item, text).map((file) => file.name),
        })),
        notes: [message('common:files.deletes')],
        ...stagesFor(items.length),
        reversible: false,
        confirm: items.length === 1 ? name : `${items.length}`,
      };
    },
    run: async (context, args) => {
      const text = args['file'];
      const items = affectedItems(args, text);
      const name = matches(items[0]!, text)[0]!.name;
      const { results } = await send(
        context,
        entity,
        {
          ...callOptions(owner),
          call: (callContext: CallContext, chunk: readonly Item[]) => {
            const identifiers = chunk.flatMap((item) => matches(item, text).map(({ identifier }) => identifier));
            return owner.update(callContext, chunk, { add: [], remove: [...new Set(identifiers)] });
          },
        },
        items,
        undefined,
      );
      return { changed: [entity.name], results, message: doneMessage('detached', name, results) };
    },
  });
}

function downloadFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  const target = owner.target ?? entity.plural;
  return command({
    id: `${entity.name}.download-file`,
    on: () => entity as unknown as AnyEntity,
    requires: 'FILES',
    effect: 'read',
    needs: ['files'],
    params: {
      [target]: p.many(() => entity as unknown as AnyEntity, { atMost: 1 }),
      file: required(p.text({ placeholder: 'photo.jpg' })),
    },
    positional: [target, 'file'],
    run: async (context, args) => {
      const [item] = (args as unknown as Record<string, SelectedItems<Item>>)[target]!.items;
      const file = findFile(item === undefined ? [] : owner.files(item), args['file']);
      const { name, content, link } = file;
      // Opening another site's address is the user's choice.
      if (content.case === 'url') return { message: message('common:files.elsewhere', { name, url: content.value }) };
      const host = requireCapability(context, 'files');
      const saved = await host.save(toContent(file, await host.fetch(link, context.signal)));
      return { message: message('common:files.saved', { name: saved }) };
    },
  });
}
