import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { succeeded } from '#commands/model/result.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { tag } from './entity.ts';
import { tagParams } from './attributes.ts';
import { parsePoint } from './location.ts';

export const createTag = command({
  id: 'tag.create',
  requires: 'MANAGE_TAGS',
  effect: 'write',
  keys: ['c t'],
  params: { name: required(p.text({ maxLength: LONGEST.tagName })), ...tagParams },
  positional: ['name'],
  plan: async (_context, { name }) => ({
    summary: message('tag:plan.create', { tag: name }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context, { name, type, priority, location }) => {
    const point = location ? parsePoint(location) : undefined;
    const made = await context.api(TagService).create(
      {
        organization: context.organization.id,
        create: { name: name.trim(), ...(type ? { type } : {}) },
        ...(priority === undefined ? {} : { priority }),
        ...(point ? { location: { case: 'locationPoint', value: point } } : {}),
      },
      { signal: context.signal },
    );
    return {
      changed: ['tag'],
      results: [{ id: `${made.id}`, label: made.label?.name ?? name }],
      message: message('tag:done.created', { tag: name }),
      data: { id: `${made.id}` },
    };
  },
  inverse: (_args, outcome) => [{ id: 'tag.delete', args: { tags: { ids: succeeded(outcome).map(({ id }) => id) } } }],
});

/** Unassigns it everywhere too, and that is not remembered, so there is no way back (contract: TagService). */
export const deleteTag = bulkAction({
  of: tag,
  verb: 'delete',
  effect: 'destructive',
  requires: 'MANAGE_TAGS',
  change: (item) => ({ field: message('tag:fields.name'), before: tag.label(item), after: undefined }),
  notes: (_context, items) => {
    const devices = items.reduce((sum, item) => sum + item.devices, 0);
    const webhooks = items.reduce((sum, item) => sum + item.webhooks, 0);
    return [
      ...(devices > 0 ? [message('tag:plan.deleteDevices', { count: devices })] : []),
      ...(webhooks > 0 ? [message('tag:plan.deleteWebhooks', { count: webhooks })] : []),
    ];
  },
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    await api(TagService).delete({ organization, id: item!.tag.id }, { signal });
  },
  changed: ['device', 'webhook'],
});
