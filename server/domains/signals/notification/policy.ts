import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const notificationPolicy = rpcs(EmailNotificationPreferencesService, {
  // The contract annotates PUBLISHERS for the preferences of others, whom no request can name. One's own are personal
  // settings (contract: user permissions), so a token needs the same permissions as for other settings.
  view: { ...read(), user: ['READ'] },
  update: { ...change(), user: ['UPDATE'] },
  delete: { ...change(), user: ['UPDATE'] },
  history: read('PUBLISHERS'),
});
