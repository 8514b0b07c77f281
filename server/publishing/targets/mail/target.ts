import { describeError } from '#server/base/describe-error.ts';
import { retryForever } from '#server/publishing/policy.ts';
import type { Target } from '#server/publishing/target.ts';

import { queueDigests } from './digest.ts';
import { emailNotifications, emailPublisher } from './pending.ts';

/** Events within this many seconds share an email. The first event waits this long. */
const GATHER_SECONDS = 5;

/**
 * Creates notification emails. The general mail queue then sends them (server/mail).
 *
 * The mail queue itself is not a target. Many of its emails do not concern an event or an organization, such as sign-in
 * emails, and each is retried independently because it goes to a different person. An outbox per organization, with its
 * ordering and cooldown, would delay urgent emails.
 */
export const emailTarget: Target = {
  kind: emailPublisher.kind,
  // Creating an email can fail only because of our own bug: no receiver is involved until the email is queued.
  policy: { ...retryForever(GATHER_SECONDS), pauseAfterSuccess: GATHER_SECONDS },
  // This publisher is internal, so its failures aren't recorded as events.
  subject: async () => undefined,
  sink: emailNotifications,
  // Each delivery keeps the database busy, unlike a call that mostly waits for its receiver.
  parallel: 4,
  // A single call handles everything that is pending for an organization.
  batch: 5000,
  poll: GATHER_SECONDS * 1000,
  open: (app) => ({
    async send({ organization }) {
      try {
        return { successful: true, error: '', unfinished: await queueDigests(app, organization) };
      } catch (error) {
        const reason = describeError(error);
        app.log.error("Notification emails couldn't be created and will be retried.", { organization, reason });
        return { successful: false, error: reason };
      }
    },
    async close() {},
  }),
};
