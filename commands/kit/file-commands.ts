import { command, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { ANY_TYPE, type FileContent } from '#commands/model/files.ts';
import { p, required } from '#commands/model/params.ts';
import { maybeChanged, succeededResults, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { MAX_FILE_BYTES } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';

import { type CallContext, send } from './bulk-action.ts';
import { createIdentifier, isNamed } from './file-item.ts';
import { FILES_FIELD, type FileOwner, targetOf } from './file-owner.ts';
import { fileSender, uploadLarge } from './store-file.ts';
import { deleteFile, downloadFile } from './stored-file-commands.ts';

/** Declares the commands to attach, detach, download, and delete the files of an entity's items. */
export function fileCommands<Item>(owner: FileOwner<Item>): readonly Command[] {
  return [attachFile(owner), downloadFile(owner), detachFile(owner), deleteFile(owner)];
}

function attachFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  const target = targetOf(owner);
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
          field: FILES_FIELD,
          added: [name],
        })),
        ...stagesFor(itemsOf(args).length),
        reversible: true,
      };
    },
    run: async (context, args) => {
      const content = args['file'] as FileContent;
      const identifier = createIdentifier(context);
      const organizations = itemsOf(args).map((item) => owner.organization?.(item) ?? context.organization.id);
      const storedIn = await uploadLarge(context, [...new Set(organizations)], identifier, content);
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

/** Removes a file from items. The server deletes it if nothing else refers to it (contract: delete_files). */
function detachFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  const target = targetOf(owner);
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
          field: FILES_FIELD,
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
