import { loggable } from '#server/base/loggable.ts';
import { untilItSucceeds } from '#server/publishing/policy.ts';
import type { Target } from '#server/publishing/target.ts';
import { tellPeople } from './digest.ts';
import { emailNotifications, mailPublisher } from './pending.ts';

/** Seconds: what happens together in that time is one mail, also when it is the first. */
const GATHERED = 5;

/**
 * Makes the mails about events, which then leave through the queue of all mails (server/mail).
 *
 * That queue is no target itself. Half of its mails are about no event and no organization, such as those that let
 * somebody sign in; each is retried by itself, and one that fails says nothing about the next, as they go to different
 * people. An outbox that belongs to organizations, keeps an order and cools down as a whole would hold up what must not
 * wait.
 */
export const mailTarget: Target = {
  kind: mailPublisher.kind,
  // A mail that cannot be made is a fault of ours, as receivers come into play only once it is queued.
  policy: { ...untilItSucceeds(GATHERED), rest: GATHERED },
  // It is no publisher that people see.
  subject: async () => undefined,
  sink: emailNotifications,
  // Each is work for the database, unlike a call that waits for its receiver.
  parallel: 4,
  // Whatever waits for an organization is told at once.
  batch: 5_000,
  poll: GATHERED * 1000,
  open: (app) => ({
    async send({ organization }) {
      try {
        return { successful: true, error: '', unfinished: await tellPeople(app, organization) };
      } catch (error) {
        const reason = loggable(error);
        app.log.error('Notification mails could not be made; they are tried again.', { organization, reason });
        return { successful: false, error: reason };
      }
    },
    async close() {},
  }),
};
