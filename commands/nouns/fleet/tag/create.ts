import { bulkAction } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { parsePoint } from '#commands/kit/location.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { tagParams } from './attributes.ts';
import { tag } from './entity.ts';
import { nameOf, typeOf } from './item.ts';
import { selectAllTags, listTags } from './list.ts';

/** The default type of a new tag (contract: TagService). */
const DEFAULT_TAG_TYPE = 'group';

export const createTag = createAction({
  entity: tag,
  requires: 'MANAGE_TAGS',
  keys: ['c t'],
  params: { name: required(p.text({ maxLength: MAX_LENGTH.tagName })), ...tagParams },
  positional: ['name'],
  nameOf: ({ name }) => name.trim(),
  notes: async (context, { name, type = DEFAULT_TAG_TYPE }) => {
    const tagsWithSameName = (await listTags(context, selectAllTags())).filter((item) => nameOf(item) === name.trim());
    // Two tags with the same name and type would look the same, so our server rejects the second.
    if (tagsWithSameName.some((item) => typeOf(item) === type)) {
      throw new CommandError(message('tag:validation.exists', { tag: name.trim() }), 'name');
    }
    // Names need not be unique (contract: TagService), but a duplicate is rarely intended.
    return tagsWithSameName.length > 0 ? [message('tag:plan.sameName')] : [];
  },
  call: async ({ api, organization, signal }, { name, type, priority, location }) => {
    const point = location ? parsePoint(location) : undefined;
    const createdTag = await api(TagService).create(
      {
        organization,
        create: { name: name.trim(), ...(type ? { type } : {}) },
        ...(priority === undefined ? {} : { priority }),
        ...(point ? { location: { case: 'locationPoint', value: point } } : {}),
      },
      { signal },
    );
    return { id: `${createdTag.id}`, label: createdTag.label?.name ?? name };
  },
  undo: { verb: 'delete' },
});

/**
 * Deletes tags and unassigns them everywhere. This cannot be undone, because the items that had the tags are not
 * recorded (contract: TagService).
 */
export const deleteTag = bulkAction({
  entity: tag,
  verb: 'delete',
  effect: 'destructive',
  requires: 'MANAGE_TAGS',
  keys: [LETTERS.remove],
  change: (item) => ({ field: message('tag:fields.name'), before: tag.label(item), after: undefined }),
  notes: (_context, items) => {
    const devices = items.reduce((sum, item) => sum + item.devices, 0);
    const webhooks = items.reduce((sum, item) => sum + item.webhooks, 0);
    const processPoints = items.reduce((sum, item) => sum + item.processPoints, 0);
    return [
      ...(devices > 0 ? [message('tag:plan.deleteDevices', { count: devices })] : []),
      ...(webhooks > 0 ? [message('tag:plan.deleteWebhooks', { count: webhooks })] : []),
      ...(processPoints > 0 ? [message('tag:plan.deleteProcessPoints', { count: processPoints })] : []),
    ];
  },
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    await api(TagService).delete({ organization, id: item!.tag.id }, { signal });
  },
  changed: ['device', 'webhook', 'process-point'],
});
