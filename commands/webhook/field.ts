import type { UpdateWebhookRequest_UpdateWebhook as UpdateWebhook } from '#proto/hiber/webhook_pb';
import type { EditableField } from '../core/edit-command.ts';
import type { ArgValue } from '../core/arg-value.ts';
import type { WebhookItem } from './item.ts';

export interface WebhookField extends EditableField<WebhookItem> {
  /** Puts a value into the update of one webhook; `resolved` is the argument as it was looked up. */
  write(update: UpdateWebhook, value: ArgValue, item: WebhookItem, resolved: unknown): void;
}
