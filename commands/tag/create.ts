import { TagService } from '#proto/hiber/tag_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { LONGEST } from '../text/lengths.ts';
import { tag } from './entity.ts';
import { tagParams } from './fields.ts';
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
      said: message('tag:said.created', { tag: name }),
      data: { id: `${made.id}` },
    };
  },
  inverse: (_args, outcome) => [{ id: 'tag.delete', args: { tags: { ids: succeeded(outcome).map(({ id }) => id) } } }],
});

/** Unassigns it everywhere too, and that is not remembered, so there is no way back (contract: TagService). */
export const deleteTag = command({
  id: 'tag.delete',
  on: () => tag,
  requires: 'MANAGE_TAGS',
  effect: 'destructive',
  params: { tags: p.many(() => tag) },
  positional: ['tags'],
  plan: async (_context, { tags: { items } }) => {
    const devices = items.reduce((sum, item) => sum + item.devices, 0);
    const webhooks = items.reduce((sum, item) => sum + item.webhooks, 0);
    return {
      summary: message('tag:plan.delete', { items: message('tag:count', { count: items.length }) }),
      count: items.length,
      changes: items.map((item) => ({
        id: tag.id(item),
        label: tag.label(item),
        field: message('tag:fields.name'),
        before: tag.label(item),
        after: undefined,
      })),
      notes: [
        ...(devices > 0 ? [message('tag:plan.deleteDevices', { count: devices })] : []),
        ...(webhooks > 0 ? [message('tag:plan.deleteWebhooks', { count: webhooks })] : []),
      ],
      reversible: false,
      confirm: items.length === 1 ? tag.label(items[0]!) : `${items.length}`,
    };
  },
  run: async (context, { tags: { items } }) => {
    const results = await inBatches(context, {
      items,
      id: tag.id,
      label: tag.label,
      size: 1,
      each: async ([item]) => {
        const request = { organization: context.organization.id, id: item!.tag.id };
        await context.api(TagService).delete(request, { signal: context.signal });
      },
    });
    return {
      changed: ['tag', 'device', 'webhook'],
      results,
      said: message('tag:said.deleted', { count: succeeded({ results }).length }),
    };
  },
});
