import { WebhookService } from '#proto/hiber/webhook_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { countOf } from '../core/edit-command.ts';
import type { Invocation } from '../core/invocation.ts';
import { groupBy } from '../core/group-by.ts';
import { message, type Message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded, type ItemResult } from '../core/result.ts';
import { tag } from '../tag/entity.ts';
import { webhook } from './entity.ts';
import type { WebhookItem } from './item.ts';

type TagItem = Parameters<typeof tag.id>[0];

interface Asked {
  readonly add: readonly TagItem[];
  readonly remove: readonly TagItem[];
}

const hasTag = ({ webhook: { tags } }: WebhookItem, { tag: { id } }: TagItem): boolean =>
  tags.some((each) => each.id === id);

/** What of it would change this one. */
function effectOn(item: WebhookItem, { add, remove }: Asked): Asked {
  return { add: add.filter((each) => !hasTag(item, each)), remove: remove.filter((each) => hasTag(item, each)) };
}

const changes = (item: WebhookItem, asked: Asked): boolean =>
  Object.values(effectOn(item, asked)).some((each) => each.length > 0);

const named = (tags: readonly TagItem[]): readonly string[] => tags.map((each) => `#${each.tag.id}`);

function taggedSaid(results: readonly ItemResult[]): Message {
  const { length: count } = succeeded({ results });
  return count === 0
    ? message('common:said.nothing')
    : message('webhook:said.tagged', { items: countOf(webhook, count) });
}

/** Tags of the webhook itself, to group webhooks by; not the tags that it listens to. */
export const tagWebhook = command({
  id: 'webhook.tag',
  on: () => webhook,
  requires: 'PUBLISHERS',
  effect: 'write',
  keys: ['t'],
  params: { webhooks: p.many(() => webhook), add: p.refs(() => tag), remove: p.refs(() => tag) },
  positional: ['webhooks', 'add'],
  problems: (_context, { add = [], remove = [] }) =>
    add.length + remove.length === 0 ? { add: message('core:validation.required') } : {},
  plan: async (_context, { webhooks: { items }, add = [], remove = [] }) => {
    const changing = items.filter((item) => changes(item, { add, remove }));
    const same = items.length - changing.length;
    return {
      summary: message('webhook:plan.tag', { items: countOf(webhook, changing.length) }),
      count: changing.length,
      changes: changing.map((item) => {
        const effect = effectOn(item, { add, remove });
        return {
          id: webhook.id(item),
          label: webhook.label(item),
          field: message('webhook:columns.tags'),
          added: effect.add.map(tag.label),
          removed: effect.remove.map(tag.label),
        };
      }),
      ...(same > 0 ? { notes: [message('common:plan.same', { count: same })] } : {}),
      reversible: true,
    };
  },
  run: async (context, { webhooks: { items }, add = [], remove = [] }) => {
    const update = { tagIdsToAdd: add.map((each) => each.tag.id), tagIdsToRemove: remove.map((each) => each.tag.id) };
    const results = await inBatches(context, {
      items: items.filter((item) => changes(item, { add, remove })),
      id: webhook.id,
      label: webhook.label,
      each: async (chunk) => {
        const webhookIds = chunk.map((item) => item.webhook.id);
        const request = { organization: context.organization.id, webhookIds, update };
        await context.api(WebhookService).updateTags(request, { signal: context.signal });
      },
    });
    return { changed: ['webhook', 'tag'], results, said: taggedSaid(results) };
  },
  inverse: ({ webhooks: { items }, add = [], remove = [] }, outcome): readonly Invocation[] => {
    const done = new Set(succeeded(outcome).map(({ id }) => id));
    const undone = items.filter((item) => done.has(webhook.id(item)));
    const groups = groupBy(undone, (item) => {
      const effect = effectOn(item, { add, remove });
      return JSON.stringify([named(effect.remove), named(effect.add)]);
    });
    return [...groups].map(([key, group]) => {
      const [again, away] = JSON.parse(key) as [string[], string[]];
      const ids = group.map(webhook.id);
      return {
        id: 'webhook.tag',
        args: {
          webhooks: { ids },
          ...(again.length > 0 ? { add: again } : {}),
          ...(away.length > 0 ? { remove: away } : {}),
        },
      };
    });
  },
});
