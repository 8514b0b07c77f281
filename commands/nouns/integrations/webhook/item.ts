import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { Health } from '#proto/gen/hiber/base_pb.ts';
import { Webhook_ContentType, type Webhook } from '#proto/gen/hiber/webhook_pb.ts';
import type { Level } from '#commands/model/column.ts';
import { HIDDEN } from '#commands/kit/editing.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { message, type Message } from '#commands/text/message.ts';

export const healthWords = enumWords(Health, 'webhook:health');
export const contentTypeWords = enumWords(Webhook_ContentType, 'webhook:contentType');

/** A webhook with the tags it listens to: its filter has only their ids. */
export interface WebhookItem {
  readonly webhook: Webhook;
  readonly filterTags: readonly Tag[];
  /** Those whose events it is not told of. */
  readonly exceptTags: readonly Tag[];
  /** Who made it; undefined for somebody whom the reader cannot see. */
  readonly creator?: string | undefined;
}

const LEVELS: Readonly<Record<number, Level>> = {
  [Health.OK]: 'ok',
  [Health.WARNING]: 'warning',
  [Health.ERROR]: 'error',
};

/** One that is off has no health to speak of, whatever its calls came to before. */
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

/** A header as people see it; the server shows the values blank. */
export const hiddenHeader = (name: string): string => `${name}: ${HIDDEN}`;

export const list = (texts: readonly string[] | undefined): string | undefined => texts?.join(', ') || undefined;
