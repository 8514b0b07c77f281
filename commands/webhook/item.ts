import type { Tag } from '#proto/hiber/tag_pb';
import { Health } from '#proto/hiber/base_pb';
import { EventType } from '#proto/hiber/event_type_pb';
import type { Webhook } from '#proto/hiber/webhook_pb';
import type { Level } from '../core/entity.ts';
import { p } from '../core/params.ts';
import { enumName } from '../core/wire.ts';

/** A webhook with the tags it listens to: its filter has only their ids. */
export interface WebhookItem {
  readonly webhook: Webhook;
  readonly filterTags: readonly Tag[];
}

/** What a webhook can be told of; assets are process points under a former name. */
export const EVENTS = p.names(EventType, ['DEFAULT', 'ASSET_CREATED', 'ASSET_UPDATED', 'ASSET_DELETED']);

export function eventNames(types: readonly EventType[]): readonly string[] {
  return types.flatMap((type) => enumName(EventType, type) ?? []);
}

export function eventTypes(names: readonly string[]): EventType[] {
  return names.map((name) => EventType[name as keyof typeof EventType]);
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
