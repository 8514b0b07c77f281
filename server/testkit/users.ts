import { asc } from 'drizzle-orm';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { mail } from '#server/db/schema/mail.ts';

import { createIdToken, type TestCaller, type TestIdentity, type TestServer } from './server.ts';

/** Reads the queued emails, oldest first, decrypted. */
export async function readQueuedEmails(t: TestServer): Promise<{ to: string; subject: string; body: string }[]> {
  const rows = await t.app.db.orm.select().from(mail).orderBy(asc(mail.id));
  return rows.map(({ recipient, subject, body }) => ({ to: recipient, subject, body: t.app.secrets.open(body) }));
}

/** Returns the identity of a user who has no demo account. */
export const newUser = (name: string, overrides: Partial<TestIdentity> = {}): TestIdentity => ({
  id: `id-${name}`,
  email: `${name}@example.com`,
  name,
  ...overrides,
});

/** Creates a caller's clients for the user, current user, and token services. */
export function createClients(caller: TestCaller) {
  return {
    users: caller.client(UserService),
    me: caller.client(CurrentUserService),
    tokens: caller.client(TokenService),
  };
}

export const signInAs = (t: TestServer, identity: TestIdentity) => createClients(t.with(createIdToken(identity)));

/** Adds a user to an organization through an invitation and returns their clients. */
export async function joinOrganization(
  t: TestServer,
  identity: TestIdentity,
  roles: string[],
  organization = 'northwind',
) {
  const administrator = createClients(t.as(organization.startsWith('northwind') ? 'administrator' : 'support')).users;
  await administrator.invite({ organization, email: identity.email, roles: { include: roles } });
  const clients = signInAs(t, identity);
  await clients.me.acceptOrganizationInvite({ organization });
  return clients;
}
