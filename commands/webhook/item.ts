import type { Tag } from '#proto/hiber/tag_pb';
import { Health } from '#proto/hiber/base_pb';
import type { Webhook } from '#proto/hiber/webhook_pb';
import type { Level } from '../core/entity.ts';

/** A webhook with the tags it listens to: its filter has only their ids. */
export interface WebhookItem {
  readonly webhook: Webhook;
  readonly filterTags: readonly Tag[];
}

const LEVELS: Readonly<Record<number, Level>> = {
  [Health.OK]: 'ok',
  [Health.WARNING]: 'warning',
  [Health.ERROR]: 'error',
};

export function levelOf({ webhook }: WebhookItem): Level {
  return LEVELS[webhook.health] ?? 'none';
}

export function isDisabled({ webhook }: WebhookItem): boolean {
  return webhook.data?.disabled ?? false;
}

export function isCoolingDown({ webhook }: WebhookItem): boolean {
  return webhook.inCooldownUntil?.timestamp !== undefined;
}
