import { create } from '@bufbuild/protobuf';

import { orderFields, pickFields } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import type { NewValues } from '#commands/kit/editing.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { healthLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { message } from '#commands/text/message.ts';
import {
  UpdateWebhookRequest_UpdateWebhookSchema,
  WebhookService,
  type UpdateWebhookRequest_UpdateWebhook as UpdateWebhook,
} from '#proto/gen/hiber/webhook_pb.ts';

import type { WebhookField } from './attribute.ts';
import { webhookAttributes } from './attributes.ts';
import { webhook } from './entity.ts';
import type { WebhookItem } from './item.ts';
import { webhookParams } from './params.ts';

/** Webhooks per call. */
const BATCH_SIZE = 50;

type Args = Readonly<Record<string, unknown>>;

function createUpdate(
  fields: Readonly<Record<string, WebhookField>>,
  item: WebhookItem,
  values: NewValues,
  args: Args,
): UpdateWebhook {
  const update = create(UpdateWebhookRequest_UpdateWebhookSchema);
  for (const [name, value] of Object.entries(values)) fields[name]!.write(update, value, item, args[name]);
  return update;
}

/**
 * Checks names of health levels.
 *
 * @throws CommandError that lists the levels of the organization
 */
export async function checkLevels(context: Context, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const levels = (await healthLevels(context)).map(({ level }) => level);
  const value = names.find((name) => !levels.includes(name));
  if (value === undefined) return;
  throw new CommandError(message('common:filter.unknownLevel', { value, names: levels.join(', ') }), 'healthLevels');
}

const check = (context: Context, values: NewValues): Promise<void> =>
  checkLevels(context, (values['healthLevels'] as readonly string[] | undefined) ?? []);

// The fields are in the same order as in the create form.
const fields = orderFields(webhookAttributes.fields, ...Object.keys(webhookParams));

export const editWebhook = editCommand<WebhookItem>({
  entity: webhook,
  verb: 'edit',
  target: 'webhooks',
  fields,
  requires: 'PUBLISHERS',
  keys: [LETTERS.edit],
  prompts: false,
  changed: ['webhook'],
  check,
  size: BATCH_SIZE,
  call: async ({ api, organization, signal }, items, { newValues, args }) => {
    const updates = items.map((item) => ({
      id: item.webhook.id,
      update: createUpdate(fields, item, newValues, args),
    }));
    const [firstUpdate, ...others] = updates;
    if (firstUpdate && others.length === 0)
      await api(WebhookService).update({ organization, ...firstUpdate }, { signal });
    else await api(WebhookService).updateWebhooks({ organization, webhookUpdates: updates }, { signal });
  },
});

const filterFields = pickFields(
  fields,
  'events',
  'exceptEvents',
  'devices',
  'exceptDevices',
  'tags',
  'exceptTags',
  'healthLevels',
);

/** Sets which events, devices, tags, and health levels a webhook listens to. */
export const setFilter = editCommand<WebhookItem>({
  entity: webhook,
  verb: 'set-filter',
  target: 'webhooks',
  fields: filterFields,
  requires: 'PUBLISHERS',
  keys: [LETTERS.events],
  prompts: false,
  changed: ['webhook'],
  check,
  size: 1,
  call: async ({ api, organization, signal }, [item], { newValues, args }) => {
    const { eventFilter, modemFilter, tagFilter, addHealthLevels, removeHealthLevels } = createUpdate(
      filterFields,
      item!,
      newValues,
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
