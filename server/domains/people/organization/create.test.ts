import { Code } from '@connectrpc/connect';
import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { mail } from '#server/db/schema/mail.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const contact = { name: 'Ada Lovelace', email: 'ada@example.com' };
const DAY = 24 * 3600 * 1000;
const administrator = () => t.as('administrator').client(OrganizationService);

/** Lets support staff issue a token and reads it from the email. */
async function issueToken(): Promise<string> {
  await t.as('support').client(SupportService).issueCreationToken({ email: contact.email });
  const [sent] = await t.app.db.orm.select().from(mail).orderBy(desc(mail.id)).limit(1);
  expect(sent?.recipient).toBe(contact.email);
  return /qdc_\S+/.exec(t.app.secrets.open(sent?.body ?? ''))?.[0] ?? '';
}

describe('a sub-organization', () => {
  test('joins the tree, takes its ID as its name by default, and makes its creator an administrator', async () => {
    const organization = await administrator().create({
      parentOrganization: 'northwind-north',
      newOrganization: 'wells_4-b',
      contact,
      address: { lines: ['Harbour Road 1', ''], city: 'Assen' },
    });
    expect(organization).toMatchObject({
      organization: 'wells_4-b',
      displayName: 'wells_4-b',
      contact,
      address: { lines: ['Harbour Road 1'], city: 'Assen' },
    });
    const { childOrganizations } = await t.as('viewer').client(OrganizationService).listChildOrganizations({});
    expect(childOrganizations.map((childOrganization) => childOrganization.organization)).toContain('wells_4-b');
    const { organizations } = await t.as('administrator').client(CurrentUserService).currentUser({});
    expect(organizations).toEqual(['northwind', 'wells_4-b']);
    await expect(
      t
        .as('administrator')
        .client(TagService)
        .create({ organization: 'wells_4-b', create: { name: 'First' } }),
    ).resolves.toBeDefined();
  });

  test('records an event in the parent', async () => {
    await administrator().create({ newOrganization: 'child', contact, parentOrganization: 'northwind' });
    const selection = { events: { include: [EventType.ORGANIZATION_CREATED] } };
    const { events } = await t.as('administrator').client(EventService).history({ selection });
    expect(events[0]?.description).toBe('Organization "child" (child) was created.');
  });

  test('requires ORGANIZATION_CREATE in the parent', async () => {
    const request = { newOrganization: 'mine', contact };
    const operator = t.as('operator').client(OrganizationService).create(request);
    await expect(operator).rejects.toThrow('ORGANIZATION_CREATE permission in organization "northwind"');
    const outsiderCreation = administrator().create({ ...request, parentOrganization: 'quarterdeck' });
    await expect(outsiderCreation).rejects.toMatchObject({ code: Code.PermissionDenied });
    const newcomer = t.as('newcomer').client(OrganizationService).create(request);
    await expect(newcomer).rejects.toThrow('ask support for a creation token');
  });

  test("has no members if it is created with a former member's token", async () => {
    const mal = { id: 'id-mal', email: 'mal@example.com', name: 'Mal' };
    const users = t.as('administrator').client(UserService);
    await users.invite({ email: mal.email, roles: { include: ['administrator'] } });
    const { me, tokens } = createClients(t.with(createIdToken(mal)));
    await me.acceptOrganizationInvite({ organization: 'northwind' });
    const { token } = await tokens.create({ name: 'builder', organizationPermissions: { includeAll: true } });
    await users.remove({ userIds: [mal.id] });
    await t.with(token).client(OrganizationService).create({ newOrganization: 'built', contact });
    await expect(me.currentUser({})).resolves.toMatchObject({ organizations: [] });
  });

  test('requires a valid, unused ID and a contact', async () => {
    const errorFor = (request: object) =>
      administrator()
        .create({ newOrganization: 'fine', contact, ...request })
        .then(() => 'accepted', String);
    expect(await errorFor({ newOrganization: 'Not Fine' })).toContain('lowercase letters, numbers, dashes');
    expect(await errorFor({ newOrganization: '-fine' })).toContain('must start with a letter or a number');
    expect(await errorFor({ newOrganization: 'me' })).toContain('"me" is reserved');
    expect(await errorFor({ newOrganization: 'x'.repeat(61) })).toContain('60 characters');
    expect(await errorFor({ newOrganization: 'quarterdeck' })).toContain('"quarterdeck" already');
    expect(await errorFor({ contact: undefined })).toContain('Enter a contact');
    expect(await errorFor({ contact: { name: 'Ada', email: 'nowhere' } })).toContain('"nowhere" isn\'t an email');
    expect(await errorFor({ displayName: 'two\nlines' })).toContain('an invisible character (U+000A)');
  });
});

describe('an organization created with a creation token', () => {
  test("has no parent and becomes its creator's default organization", async () => {
    const newcomer = t.as('newcomer').client(OrganizationService);
    const organizationCreationToken = await issueToken();
    await expect(newcomer.validateCreationToken({ organizationCreationToken })).resolves.toEqual(
      expect.objectContaining({ valid: true }),
    );
    await newcomer.create({ newOrganization: 'larsen', displayName: 'Larsen', contact, organizationCreationToken });
    await expect(t.as('newcomer').client(CurrentUserService).currentUser({})).resolves.toMatchObject({
      organizations: ['larsen'],
      defaultOrganization: 'larsen',
      roles: ['administrator'],
    });
    await expect(newcomer.validateCreationToken({ organizationCreationToken })).resolves.toMatchObject({
      valid: false,
    });
    const reuse = newcomer.create({ newOrganization: 'larsen-2', contact, organizationCreationToken });
    await expect(reuse).rejects.toThrow('The token value is not valid.');
  });

  test('uses up the token unless the ID is taken, even with concurrent requests', async () => {
    const creator = t.with(createIdToken({ id: 'two-at-once', email: 'two@example.com', name: 'Two' }));
    const organizations = creator.client(OrganizationService);
    const organizationCreationToken = await issueToken();
    const duplicateCreation = organizations.create({
      newOrganization: 'northwind',
      contact,
      organizationCreationToken,
    });
    await expect(duplicateCreation).rejects.toMatchObject({ code: Code.AlreadyExists });
    const outcomes = await Promise.allSettled(
      ['first-of-two', 'second-of-two'].map((newOrganization) =>
        organizations.create({ newOrganization, contact, organizationCreationToken }),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('must be created within thirty days', async () => {
    const organizationCreationToken = await issueToken();
    t.advance(31 * DAY);
    const lateCreation = administrator().create({ newOrganization: 'late', contact, organizationCreationToken });
    await expect(lateCreation).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});
