import { create } from '@bufbuild/protobuf';

import {
  UpdateWebhookRequest_UpdateWebhookSchema,
  WebhookService,
  type UpdateWebhookRequest_UpdateWebhook as UpdateWebhook,
} from '#proto/gen/hiber/webhook_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { only } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import type { Wanted } from '#commands/kit/editing.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { healthLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { webhook } from './entity.ts';
import type { WebhookField } from './attribute.ts';
import { webhookAttributes } from './attributes.ts';
import type { WebhookItem } from './item.ts';
import { webhookParams } from './params.ts';

/** Webhooks changed by one call. */
const BATCH = 50;

type Args = Readonly<Record<string, unknown>>;

function updateOf(
  fields: Readonly<Record<string, WebhookField>>,
  item: WebhookItem,
  wanted: Wanted,
  args: Args,
): UpdateWebhook {
  const update = create(UpdateWebhookRequest_UpdateWebhookSchema);
  for (const [name, value] of Object.entries(wanted)) fields[name]!.write(update, value, item, args[name]);
  return update;
}

/** Levels are the organization's own, by name. @throws CommandError that lists them. */
export async function checkLevels(context: Context, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const levels = (await healthLevels(context)).map(({ level }) => level);
  const value = names.find((name) => !levels.includes(name));
  if (value === undefined) return;
  throw new CommandError(message('common:filter.unknownLevel', { value, names: levels.join(', ') }), 'healthLevels');
}

const check = (context: Context, wanted: Wanted): Promise<void> =>
  checkLevels(context, (wanted['healthLevels'] as readonly string[] | undefined) ?? []);

/** In the order in which creating asks for them. */
const fields = only(webhookAttributes.fields, ...Object.keys(webhookParams), 'disabled');

export const editWebhook = editCommand<WebhookItem>({
  of: webhook,
  verb: 'edit',
  target: 'webhooks',
  fields,
  requires: 'PUBLISHERS',
  keys: ['e'],
  asks: false,
  changed: ['webhook'],
  check,
  size: BATCH,
  call: async ({ api, organization, signal }, items, { wanted, args }) => {
    const updates = items.map((item) => ({
      id: item.webhook.id,
      update: updateOf(fields, item, wanted, args),
    }));
    const [only, ...more] = updates;
    if (only && more.length === 0) await api(WebhookService).update({ organization, ...only }, { signal });
    else await api(WebhookService).updateWebhooks({ organization, webhookUpdates: updates }, { signal });
  },
});

const filterFields = only(
  webhookAttributes.fields,
  'events',
  'exceptEvents',
  'devices',
  'exceptDevices',
  'tags',
  'exceptTags',
  'healthLevels',
);

/** What a webhook listens to: events, devices, tags and health levels. */
export const setFilter = editCommand<WebhookItem>({
  of: webhook,
  verb: 'set-filter',
  target: 'webhooks',
  fields: filterFields,
  requires: 'PUBLISHERS',
  keys: ['f'],
  asks: false,
  changed: ['webhook'],
  check,
  size: 1,
  call: async ({ api, organization, signal }, [item], { wanted, args }) => {
    const { eventFilter, modemFilter, tagFilter, addHealthLevels, removeHealthLevels } = updateOf(
      filterFields,
      item!,
      wanted,
      args,
    );
    await api(WebhookService).updateFilter(
      {
        organization,
        id: item!.webhook.id,
        eventFilter,
        modemFilter,
        tagFilter,
        addHealthLevelsToFilter: addHealthLevels,
        removeHealthLevelsFromFilter: removeHealthLevels,
      },
      { signal },
    );
  },
});
