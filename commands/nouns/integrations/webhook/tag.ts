import { LETTERS } from '#commands/kit/letters.ts';
import { addedBy, listChange, removedBy, type Names } from '#commands/kit/list-change.ts';
import { p } from '#commands/model/params.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { message } from '#commands/text/message.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';

import { webhook } from './entity.ts';

type TagItem = Parameters<typeof tag.id>[0];

/** Identifies a tag in an argument by its id, because names need not be unique. */
const idOf = (tagId: bigint): string => `#${tagId}`;
const idsOf = (tags: readonly TagItem[] = []): Names => tags.map((item) => idOf(item.tag.id));

/** Sets the webhook's own tags, which group webhooks, as opposed to the tags it listens to. */
export const tagWebhook = listChange({
  entity: webhook,
  verb: 'tag',
  requires: 'PUBLISHERS',
  keys: [LETTERS.tag],
  params: { add: p.refs(() => tag), remove: p.refs(() => tag) },
  positional: ['add'],
  problems: (_context, { add = [], remove = [] }) =>
    add.length + remove.length === 0 ? { add: message('core:validation.required') } : {},
  field: message('webhook:columns.tags'),
  current: ({ webhook: { tags } }) => tags.map(({ id }) => idOf(id)),
  after: (current, { add, remove }) => {
    const removedIds = idsOf(remove);
    return [...new Set([...current, ...idsOf(add)])].filter((id) => !removedIds.includes(id));
  },
  label: (id, { webhook: { tags } }, { add = [] }) => {
    const addedTag = add.find((item) => idOf(item.tag.id) === id);
    return addedTag ? tag.label(addedTag) : (tags.find((item) => idOf(item.id) === id)?.label?.name ?? id);
  },
  undo: (difference) => {
    const [add, remove] = [removedBy(difference), addedBy(difference)];
    return { verb: 'tag', args: { ...(add.length > 0 ? { add } : {}), ...(remove.length > 0 ? { remove } : {}) } };
  },
  call: async ({ api, organization, signal }, items, { add = [], remove = [] }) => {
    const update = { tagIdsToAdd: add.map((item) => item.tag.id), tagIdsToRemove: remove.map((item) => item.tag.id) };
    const webhookIds = items.map((item) => item.webhook.id);
    await api(WebhookService).updateTags({ organization, webhookIds, update }, { signal });
  },
  changed: ['tag'],
});
