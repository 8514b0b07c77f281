import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const notificationPolicy = rpcs(EmailNotificationPreferencesService, {
  // The contract requires PUBLISHERS for other users' preferences, but a request cannot specify a user. The caller's
  // own preferences are personal settings (contract: user permissions), so a token needs the permissions for settings.
  view: { ...read(), user: ['READ'] },
  update: { ...change(), user: ['UPDATE'] },
  delete: { ...change(), user: ['UPDATE'] },
  history: read('PUBLISHERS'),
});
