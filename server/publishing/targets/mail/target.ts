import { describeError } from '#server/base/describe-error.ts';
import { retryForever } from '#server/publishing/policy.ts';
import type { Target } from '#server/publishing/target.ts';

import { queueDigests } from './digest.ts';
import { emailNotifications, mailPublisher } from './pending.ts';

/** Seconds: events within this time share an email, even the first one. */
const GATHER_SECONDS = 5;

/**
 * Creates the emails about events, which then leave through the general mail queue (server/mail).
 *
 * That queue is not a target. Half of its emails concern neither events nor an organization, such as those for signing
 * in. Each is retried independently, and a failure says nothing about the next email, which goes to someone else. An
 * outbox that belongs to organizations, keeps an order and cools down as a whole would delay urgent emails.
 */
export const mailTarget: Target = {
  kind: mailPublisher.kind,
  // Failing to create an email is a bug of ours: receivers are involved only once it is queued.
  policy: { ...retryForever(GATHER_SECONDS), pauseAfterSuccess: GATHER_SECONDS },
  // People do not see this publisher.
  subject: async () => undefined,
  sink: emailNotifications,
  // Each delivery keeps the database busy, unlike a call that mostly waits for its receiver.
  parallel: 4,
  // A single call handles everything that is pending for an organization.
  batch: 5_000,
  poll: GATHER_SECONDS * 1000,
  open: (app) => ({
    async send({ organization }) {
      try {
        return { successful: true, error: '', unfinished: await queueDigests(app, organization) };
      } catch (error) {
        const reason = describeError(error);
        app.log.error('Notification emails could not be created and will be retried.', { organization, reason });
        return { successful: false, error: reason };
      }
    },
    async close() {},
  }),
};
