import { create } from '@bufbuild/protobuf';

import { Tag_LabelSchema, TagService, UpdateTagRequestSchema } from '#proto/gen/hiber/tag_pb.ts';
import type { Command } from '#commands/model/command.ts';
import { only } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { message } from '#commands/text/message.ts';
import { tag } from './entity.ts';
import { tagAttributes } from './attributes.ts';

interface EditOf {
  readonly verb: string;
  readonly fields: typeof tagAttributes.fields;
  readonly keys?: readonly string[];
  readonly asks: boolean;
}

function editing({ fields, ...more }: EditOf): Command {
  return editCommand({
    of: tag,
    target: 'tags',
    requires: 'MANAGE_TAGS',
    fields,
    ...more,
    // Devices and webhooks carry the names of their tags.
    changed: ['tag', 'device', 'webhook'],
    problems: (items, wanted) =>
      items.length > 1 && wanted['name'] !== undefined ? { name: message('tag:validation.bulkName') } : {},
    // The contract has one update for one tag.
    size: 1,
    call: async ({ api, organization, signal }, [item], { wanted }) => {
      const request = create(UpdateTagRequestSchema, { organization, id: item!.tag.id });
      // A label is one field of the update, so what is not edited of it goes along.
      if (wanted['name'] !== undefined || wanted['type'] !== undefined) {
        request.update = create(Tag_LabelSchema, { name: item!.tag.label?.name, type: item!.tag.label?.type });
      }
      for (const [name, value] of Object.entries(wanted)) fields[name]!.write(request, value);
      await api(TagService).update(request, { signal });
    },
  });
}

export const editTag = editing({ verb: 'edit', fields: tagAttributes.fields, asks: false, keys: ['e'] });
export const renameTag = editing({ verb: 'rename', fields: only(tagAttributes.fields, 'name'), asks: true });
