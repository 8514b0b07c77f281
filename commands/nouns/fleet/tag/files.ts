import { create } from '@bufbuild/protobuf';

import { fileCommands } from '#commands/kit/file-commands.ts';
import { filesTab } from '#commands/kit/files-tab.ts';
import { TagService, UpdateTagRequestSchema } from '#proto/gen/hiber/tag_pb.ts';

import { tag } from './entity.ts';
import type { TagItem } from './item.ts';

const files = ({ tag: { metadata } }: TagItem) => metadata?.files ?? [];

export const tagFileCommands = fileCommands<TagItem>({
  entity: tag,
  files,
  // Only support can remove files from a tag (contract: TagService).
  requires: { attach: 'MANAGE_TAGS', detach: ['MANAGE_TAGS', 'MANAGE_FILES'] },
  // The contract updates one tag per call.
  size: 1,
  update: async ({ api, organization, signal }, [item], { add, remove }) => {
    const request = create(UpdateTagRequestSchema, { organization, id: item!.tag.id });
    request.addFiles = [...add];
    request.deleteFiles = [...remove];
    await api(TagService).update(request, { signal });
  },
});

export const tagFiles = filesTab<TagItem>({ entity: 'tag', target: 'tags', id: tag.id, files });
