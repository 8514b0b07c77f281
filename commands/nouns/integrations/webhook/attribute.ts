import type { Attribute } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type {
  UpdateWebhookRequest_UpdateWebhook as UpdateWebhook,
  WebhookSelection,
} from '#proto/gen/hiber/webhook_pb.ts';

import type { WebhookItem } from './item.ts';

export interface WebhookField extends EditableField<WebhookItem> {
  /** Writes a value into the update for one webhook. `resolved` is the resolved argument. */
  write(update: UpdateWebhook, value: ArgValue, item: WebhookItem, resolved: unknown): void;
}

export type WebhookAttributes = Readonly<Record<string, Attribute<WebhookItem, WebhookSelection, WebhookField>>>;
