import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { p, required } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

import { toContent } from './file-item.ts';
import { FILES_FIELD, type FileOwner, findOwnFile, itemOf, targetOf } from './file-owner.ts';

const paramsOf = <Item>(owner: FileOwner<Item>) => ({
  params: {
    [targetOf(owner)]: p.many(() => owner.entity as unknown as AnyEntity, { atMost: 1 }),
    file: required(p.text({ placeholder: 'photo.jpg' })),
  },
  positional: [targetOf(owner), 'file'],
});

/** Declares the command that saves a file of an item. */
export function downloadFile<Item>(owner: FileOwner<Item>): Command {
  const { entity } = owner;
  return command({
    id: `${entity.name}.download-file`,
    on: () => entity as unknown as AnyEntity,
    requires: 'FILES',
    effect: 'read',
    needs: ['files'],
    ...paramsOf(owner),
    run: async (context, args) => {
      const file = await findOwnFile(owner, context, itemOf(owner, args), args['file']);
      const { name, content, link } = file;
      // Opening another site's address is the user's choice.
      if (content.case === 'url') return { message: message('common:files.elsewhere', { name, url: content.value }) };
      const host = requireCapability(context, 'files');
      const saved = await host.save(toContent(file, await host.fetch(link, context.signal)));
      return { message: message('common:files.saved', { name: saved }) };
    },
  });
}

/** The entities whose items have files, so their lists are stale once a file is deleted. */
const OWNERS: readonly string[] = ['device', 'process-point', 'tag'];

/**
 * Declares the command that deletes a file of an item, and with it every reference to the file. Only support may
 * (contract: FileService.Delete).
 */
export function deleteFile<Item>(owner: FileOwner<Item>): Command {
  const { entity, organization } = owner;
  return command({
    id: `${entity.name}.delete-file`,
    on: () => entity as unknown as AnyEntity,
    requires: 'MANAGE_FILES',
    effect: 'destructive',
    ...paramsOf(owner),
    plan: async (context, args) => {
      const item = itemOf(owner, args)!;
      const { name } = await findOwnFile(owner, context, item, args['file']);
      return {
        summary: message('common:files.delete', { name }),
        count: 1,
        changes: [{ id: entity.id(item), label: entity.label(item), field: FILES_FIELD, removed: [name] }],
        notes: [message('common:files.everywhere')],
        reversible: false,
        confirm: name,
      };
    },
    run: async (context, args) => {
      const item = itemOf(owner, args)!;
      const { identifier, name } = await findOwnFile(owner, context, item, args['file']);
      const { FileService } = await import('#proto/gen/hiber/file_pb.ts');
      const request = { organization: organization?.(item) ?? context.organization.id, identifier };
      // Never aborts, because the outcome of an aborted write is unknown.
      await context.api(FileService).delete(request);
      return { changed: OWNERS, message: message('common:files.deleted', { name }) };
    },
  });
}
