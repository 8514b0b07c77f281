import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const notificationPolicy = rpcs(EmailNotificationPreferencesService, {
  // The contract annotates PUBLISHERS for the preferences of other people, but no request can name a person. The
  // caller's own preferences are personal settings (contract: user permissions), so a token needs the permissions for
  // settings.
  view: { ...read(), user: ['READ'] },
  update: { ...change(), user: ['UPDATE'] },
  delete: { ...change(), user: ['UPDATE'] },
  history: read('PUBLISHERS'),
});
