import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { webhook } from './entity.ts';
import type { WebhookItem } from './item.ts';

type TagItem = Parameters<typeof tag.id>[0];

interface Asked {
  readonly add: readonly TagItem[];
  readonly remove: readonly TagItem[];
}

const hasTag = ({ webhook: { tags } }: WebhookItem, { tag: { id } }: TagItem): boolean =>
  tags.some((item) => item.id === id);

const asked = ({ add = [], remove = [] }: Partial<Asked>): Asked => ({ add, remove });

/** The subset of the requested tags that would change this webhook. */
function effectOn(item: WebhookItem, { add, remove }: Asked): Asked {
  return {
    add: add.filter((tagItem) => !hasTag(item, tagItem)),
    remove: remove.filter((tagItem) => hasTag(item, tagItem)),
  };
}

const changes = (item: WebhookItem, asked: Asked): boolean =>
  Object.values(effectOn(item, asked)).some((entry) => entry.length > 0);

const named = (tags: readonly TagItem[]): readonly string[] => tags.map((tag) => `#${tag.tag.id}`);

/** Tags of the webhook itself, to group webhooks by; not the tags that it listens to. */
export const tagWebhook = bulkAction({
  of: webhook,
  verb: 'tag',
  requires: 'PUBLISHERS',
  keys: ['t'],
  params: { add: p.refs(() => tag), remove: p.refs(() => tag) },
  positional: ['add'],
  problems: (_context, { add = [], remove = [] }) =>
    add.length + remove.length === 0 ? { add: message('core:validation.required') } : {},
  applies: (item, args) => changes(item, asked(args)),
  change: (item, args) => {
    const effect = effectOn(item, asked(args));
    return {
      field: message('webhook:columns.tags'),
      added: effect.add.map(tag.label),
      removed: effect.remove.map(tag.label),
    };
  },
  call: async ({ api, organization, signal }, items, args) => {
    const { add, remove } = asked(args);
    const update = { tagIdsToAdd: add.map((item) => item.tag.id), tagIdsToRemove: remove.map((item) => item.tag.id) };
    const webhookIds = items.map((item) => item.webhook.id);
    await api(WebhookService).updateTags({ organization, webhookIds, update }, { signal });
  },
  undo: (items, args): readonly Invocation[] => {
    const groups = groupBy(items, (item) => {
      const effect = effectOn(item, asked(args));
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
  changed: ['tag'],
});
