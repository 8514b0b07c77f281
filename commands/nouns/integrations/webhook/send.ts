import { bulkAction } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, isUnimplemented } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  WebhookDeliveryService,
  type CallOutcome,
} from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';

import { webhook } from './entity.ts';
import { deliveryOf, loadCalls } from './history.ts';
import type { WebhookItem } from './item.ts';

/** Awaits a call to our extension of the contract. @throws CommandError if the server does not implement it */
async function extensionCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isUnimplemented(error) ? new CommandError(message('webhook:unsupported')) : error;
  }
}

function problemOf(outcome: CallOutcome | undefined): Message | undefined {
  if (outcome?.call?.successful) return undefined;
  return message('webhook:call.refused', { reason: outcome?.call?.error || `HTTP ${outcome?.status ?? '?'}` });
}

export const testWebhook = bulkAction({
  entity: webhook,
  verb: 'test',
  requires: 'PUBLISHERS',
  notes: () => [message('webhook:plan.testNote')],
  harmless: true,
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    const request = { organization, webhookId: item!.webhook.id };
    const problem = problemOf((await extensionCall(api(WebhookDeliveryService).test(request, { signal }))).outcome);
    return problem && { refused: new Map([[webhook.id(item!), problem]]) };
  },
});

export const resendCall = command({
  id: 'webhook.resend',
  on: () => webhook,
  requires: 'PUBLISHERS',
  effect: 'write',
  params: { webhook: required(p.ref(() => webhook)), delivery: p.text({ check: checkDelivery }) },
  positional: ['webhook', 'delivery'],
  plan: async (context, { webhook: item, delivery }) => ({
    summary: message('webhook:plan.resend', {
      delivery: delivery ?? (await newestFailure(context, item)),
      url: item.webhook.data?.url ?? webhook.label(item),
    }),
    count: 1,
    changes: [],
    notes: [message('webhook:plan.resendNote')],
    reversible: false,
    harmless: true,
  }),
  run: async (context, { webhook: item, delivery }) => {
    const deliveryId = delivery ?? (await newestFailure(context, item));
    const request = { organization: context.organization.id, webhookId: item.webhook.id, deliveryId };
    const resend = context.api(WebhookDeliveryService).resend(request, { signal: context.signal });
    const problem = problemOf((await extensionCall(resend)).outcome);
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

/** The newest failed delivery, which is resent by default. */
async function newestFailure(context: Context, item: WebhookItem): Promise<string> {
  const calls = await loadCalls(context, item, { page: 0, narrowing: { onlyFailures: true } });
  const deliveryId = calls.map(deliveryOf).find((id) => id !== undefined);
  if (deliveryId === undefined) throw new CommandError(message('webhook:validation.noFailure'), 'delivery');
  return deliveryId;
}
