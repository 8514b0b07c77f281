import { toJson } from '@bufbuild/protobuf';

import { historyParams } from '#commands/kit/history-filters.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { WebhookCallSchema, type WebhookCall } from '#proto/gen/hiber/webhook_pb.ts';

import { webhook } from './entity.ts';
import { history, loadCalls } from './history.ts';
import type { WebhookItem } from './item.ts';

const DEFAULT_LIMIT = 100;

/** Opens a webhook's history in the console's panel, or prints its calls in the CLI. */
export const showHistory = command({
  id: 'webhook.history',
  requires: 'PUBLISHERS',
  effect: 'navigate',
  params: {
    webhook: required(p.ref(() => webhook)),
    ...historyParams,
    limit: p.number({ integer: true, min: 1, max: 1000, fallback: DEFAULT_LIMIT }),
  },
  positional: ['webhook'],
  run: async (context, { webhook: item, onlyFailures, period, limit = DEFAULT_LIMIT }) => {
    const filterValues: Args = { ...(onlyFailures ? { onlyFailures } : {}), ...(period ? { period } : {}) };
    const { output } = context.host;
    if (output) {
      const rows = await loadNewestCalls(context, item, filterValues, limit);
      output.rows({ columns: history.columns, rows, json: rows.map((call) => toJson(WebhookCallSchema, call)) });
    } else requireCapability(context, 'panel').open(webhook.name, webhook.id(item), history.id, filterValues);
    return {};
  },
});

async function loadNewestCalls(
  context: Context,
  item: WebhookItem,
  filterValues: Args,
  limit: number,
): Promise<readonly WebhookCall[]> {
  const calls: WebhookCall[] = [];
  for (let page = 0; calls.length < limit; page++) {
    context.signal.throwIfAborted();
    const batch = await loadCalls(context, item, { page, filterValues });
    calls.push(...batch);
    if (batch.length < history.limit) break;
  }
  return calls.slice(0, limit);
}
