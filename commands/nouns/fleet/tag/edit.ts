import { create } from '@bufbuild/protobuf';

import { pickFields } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { Tag_LabelSchema, TagService, UpdateTagRequestSchema } from '#proto/gen/hiber/tag_pb.ts';

import { tagAttributes } from './attributes.ts';
import { tag } from './entity.ts';

interface TagEdit {
  readonly verb: string;
  readonly fields: typeof tagAttributes.fields;
  readonly keys?: readonly string[];
  readonly prompts: boolean;
}

function editTagCommand({ fields, ...spec }: TagEdit): Command {
  return editCommand({
    entity: tag,
    target: 'tags',
    requires: 'MANAGE_TAGS',
    fields,
    ...spec,
    // Other items show their tag names.
    changed: ['tag', 'device', 'webhook', 'process-point'],
    problems: (items, values) =>
      items.length > 1 && values['name'] !== undefined ? { name: message('tag:validation.bulkName') } : {},
    // The contract updates one tag per call.
    size: 1,
    call: async ({ api, organization, signal }, [item], { newValues }) => {
      const request = create(UpdateTagRequestSchema, { organization, id: item!.tag.id });
      // The label is a single field of the update, so also send its unchanged part.
      if (newValues['name'] !== undefined || newValues['type'] !== undefined) {
        request.update = create(Tag_LabelSchema, { name: item!.tag.label?.name, type: item!.tag.label?.type });
      }
      for (const [name, value] of Object.entries(newValues)) fields[name]!.write(request, value);
      await api(TagService).update(request, { signal });
    },
  });
}

export const editTag = editTagCommand({
  verb: 'edit',
  fields: tagAttributes.fields,
  prompts: false,
  keys: [LETTERS.edit],
});
export const renameTag = editTagCommand({
  verb: 'rename',
  fields: pickFields(tagAttributes.fields, 'name'),
  prompts: true,
});
