import { bulkAction } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, isUnimplemented } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  WebhookDeliveryService,
  type CallOutcome,
} from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';

import { webhook } from './entity.ts';
import { deliveryOf, loadCalls } from './history.ts';
import type { WebhookItem } from './item.ts';

/**
 * Awaits a call to our extension of the contract.
 *
 * @throws CommandError if the server does not implement it
 */
async function callExtension<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isUnimplemented(error) ? new CommandError(message('webhook:unsupported')) : error;
  }
}

function describeProblem(outcome: CallOutcome | undefined): Message | undefined {
  if (outcome?.call?.successful) return undefined;
  return message('webhook:call.rejected', { reason: outcome?.call?.error || `HTTP ${outcome?.status ?? '?'}` });
}

export const testWebhook = bulkAction({
  entity: webhook,
  verb: 'test',
  requires: 'PUBLISHERS',
  notes: () => [message('webhook:plan.testNote')],
  harmless: true,
  size: 1,
  // A test never changes anything, so report the receiver's response instead of a change.
  failureMessage: ([first, ...others]) =>
    (others.length === 0 ? first?.failure?.message : undefined) ??
    message('webhook:done.testFailed', { count: others.length + 1 }),
  call: async ({ api, organization, signal }, [item]) => {
    const request = { organization, webhookId: item!.webhook.id };
    const problem = describeProblem(
      (await callExtension(api(WebhookDeliveryService).test(request, { signal }))).outcome,
    );
    return problem && { rejections: new Map([[webhook.id(item!), problem]]) };
  },
});

export const resendCall = command({
  id: 'webhook.resend',
  on: () => webhook,
  requires: 'PUBLISHERS',
  effect: 'write',
  params: { webhook: required(p.ref(() => webhook)), delivery: p.text({ placeholder: '42', check: checkDelivery }) },
  positional: ['webhook', 'delivery'],
  plan: async (context, { webhook: item, delivery }) => ({
    summary: message('webhook:plan.resend', {
      delivery: await requireDelivery(context, item, delivery),
      url: item.webhook.data?.url ?? webhook.label(item),
    }),
    count: 1,
    changes: [],
    notes: [message('webhook:plan.resendNote')],
    reversible: false,
    harmless: true,
  }),
  run: async (context, { webhook: item, delivery }) => {
    const deliveryId = delivery ?? (await findNewestFailure(context, item));
    const request = { organization: context.organization.id, webhookId: item.webhook.id, deliveryId };
    const resend = context.api(WebhookDeliveryService).resend(request, { signal: context.signal });
    const problem = describeProblem((await callExtension(resend)).outcome);
    const result = { id: webhook.id(item), label: webhook.label(item) };
    const failure = problem && { code: 'command', message: problem, retryable: true };
    return {
      changed: ['webhook'],
      results: [failure ? { ...result, failure } : result],
      message: problem ?? message('webhook:done.resent', { delivery: deliveryId }),
    };
  },
});

function checkDelivery(value: string): Message | undefined {
  return /^\d+$/.test(value) ? undefined : message('core:validation.numeric');
}

/** Returns the newest failed delivery, which is the default for resending. */
async function findNewestFailure(context: Context, item: WebhookItem): Promise<string> {
  const id = await findDelivery(context, item, { onlyFailures: true }, () => true);
  if (id === undefined) throw new CommandError(message('webhook:validation.noFailure'), 'delivery');
  return id;
}

/**
 * Returns the id of the delivery to resend. Defaults to the newest failed delivery.
 *
 * @throws CommandError if the history doesn't contain the delivery
 */
async function requireDelivery(context: Context, item: WebhookItem, delivery: string | undefined): Promise<string> {
  if (delivery === undefined) return findNewestFailure(context, item);
  const target = stripZeros(delivery);
  if ((await findDelivery(context, item, {}, (id) => stripZeros(id) === target)) !== undefined) return delivery;
  throw new CommandError(message('webhook:validation.noDelivery', { delivery }), 'delivery');
}

const stripZeros = (id: string): string => id.replace(/^0+(?=.)/, '');

/**
 * Searches the history page by page, newest first. The history is short because the number of stored calls is limited.
 */
async function findDelivery(
  context: Context,
  item: WebhookItem,
  filterValues: Args,
  matches: (id: string) => boolean,
): Promise<string | undefined> {
  for (let page = 0; ; page++) {
    const calls = await loadCalls(context, item, { page, filterValues });
    const id = calls.flatMap((call) => deliveryOf(call) ?? []).find(matches);
    if (id !== undefined || calls.length === 0) return id;
  }
}
