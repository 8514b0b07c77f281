import type { Sealer } from '#server/base/secrets.ts';
import type { Executor } from '#server/db/database.ts';
import { contractPolicy } from '#server/publishing/policy.ts';
import type { CallRecord, Dispatcher, Target } from '#server/publishing/target.ts';

import { type WebhookCall, webhookCall } from './call.ts';
import { presentWebhooks } from './present.ts';
import { redact } from './redact.ts';
import { findWebhook, WEBHOOK_KIND, type WebhookRow } from './rows.ts';
import { createSender, DELIVERY_TIMEOUT_MS, type Outcome, type Sender } from './send.ts';
import { webhookSubject } from './subject.ts';

/** POSTs each event to the URL of the webhook. */
export const webhookTarget: Target = {
  kind: WEBHOOK_KIND,
  policy: contractPolicy,
  async subject(tx, { organization, id }, now) {
    const [message] = await presentWebhooks(tx, organization, [id], now);
    return message && webhookSubject(message);
  },
  open({ db, config, secrets }) {
    const policy = { allowLoopback: config.allowLoopbackDeliveries };
    const sender = createSender({ policy, timeout: DELIVERY_TIMEOUT_MS });
    return webhookDispatcher({ db: db.orm, sender, secrets, version: config.version });
  },
};

interface Dependencies {
  readonly db: Executor;
  /** Closed with the dispatcher. */
  readonly sender: Sender;
  readonly secrets: Sealer;
  /** The release of this server, for the user agent. */
  readonly version: string;
}

export function webhookDispatcher({ db, sender, secrets, version }: Dependencies): Dispatcher {
  return {
    async send(key, [due], signal) {
      if (due?.body === undefined) throw new Error('A webhook receives one event at a time.');
      const row = await findWebhook(db, key);
      if (!row) return undefined;
      const { call, outcome } = await attempt(row, due.body, due.id, signal);
      return { successful: outcome.successful, error: outcome.error, call: callRecord(call, outcome) };
    },
    close: () => sender.close(),
  };

  async function attempt(row: WebhookRow, body: Uint8Array, delivery: number, signal: AbortSignal) {
    let call: WebhookCall;
    try {
      call = webhookCall(row, body, delivery, secrets, version);
    } catch (error) {
      // The secret can't be decrypted. Record the failure in the history instead of sending the call unsigned.
      const reason = error instanceof Error ? error.message : String(error);
      const outcome: Outcome = { successful: false, error: `Not sent: ${reason}`, milliseconds: 0 };
      const call = { url: row.url, shownHeaders: {}, bodyProto: body, bodyJson: '', credentials: [] };
      return { call, outcome };
    }
    return { call, outcome: await sender.send(call, signal) };
  }
}

type ShownCall = Pick<WebhookCall, 'url' | 'shownHeaders' | 'bodyProto' | 'bodyJson' | 'credentials'>;

/**
 * Quotes the beginning of the response as the reason for a failure, without any of our credentials. Events omit the
 * response because they go to other receivers.
 */
export function callRecord(
  { url, shownHeaders, bodyProto, bodyJson, credentials }: ShownCall,
  { status, error, response, milliseconds }: Outcome,
): CallRecord {
  const failure = response === undefined ? error : `${error}: ${redact(response, credentials)}`;
  return { url, headers: shownHeaders, bodyProto, bodyJson, status, error: failure, milliseconds };
}
