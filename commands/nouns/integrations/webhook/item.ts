import { HIDDEN } from '#commands/kit/editing.ts';
import { enumLabels } from '#commands/kit/enum-labels.ts';
import type { Level } from '#commands/model/column.ts';
import { message, type Message } from '#commands/text/message.ts';
import { Health } from '#proto/gen/hiber/base_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { Webhook_ContentType, type Webhook } from '#proto/gen/hiber/webhook_pb.ts';

export const healthLabels = enumLabels(Health, 'webhook:health');
export const contentTypeLabels = enumLabels(Webhook_ContentType, 'webhook:contentType');

/** A webhook with the tags that it listens to. Its filter has only their ids. */
export interface WebhookItem {
  readonly webhook: Webhook;
  readonly filterTags: readonly Tag[];
  /** Tags whose events the webhook ignores. */
  readonly excludedTags: readonly Tag[];
  /** The name of its creator. Undefined if the caller can't see that user. */
  readonly creator?: string | undefined;
}

const LEVELS: Readonly<Record<number, Level>> = {
  [Health.OK]: 'ok',
  [Health.WARNING]: 'warning',
  [Health.ERROR]: 'error',
};

/** Returns the level of a webhook's health. A disabled webhook has none, regardless of earlier calls. */
export function levelOf(item: WebhookItem): Level {
  return isDisabled(item) ? 'none' : (LEVELS[item.webhook.health] ?? 'none');
}

export function isDisabled({ webhook }: WebhookItem): boolean {
  return webhook.data?.disabled ?? false;
}

export function isCoolingDown({ webhook }: WebhookItem): boolean {
  return webhook.inCooldownUntil?.timestamp !== undefined;
}

export function stateOf(item: WebhookItem): Message {
  if (isDisabled(item)) return message('webhook:state.disabled');
  return message(isCoolingDown(item) ? 'webhook:state.cooldown' : 'webhook:state.active');
}

/** Returns a header with a hidden value. The server never returns the value. */
export const hiddenHeader = (name: string): string => `${name}: ${HIDDEN}`;

export const join = (values: readonly string[] | undefined): string | undefined => values?.join(', ') || undefined;
