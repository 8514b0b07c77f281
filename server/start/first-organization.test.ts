import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import type { IdentityConfig } from '#server/base/config.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { announcement } from './announce.ts';
import { issueFirstOrganizationToken } from './first-organization.ts';
import { readSettings } from './settings.ts';

const google: IdentityConfig = { kind: 'google', project: 'northwind-fleet', apiKey: 'key' };
const contact = { name: 'Grace Hopper', email: 'grace@example.com' };
let t: TestServer;
beforeAll(async () => void (t = await startTestServer({ isEmpty: true })));
afterAll(() => t.close());

const start = () => issueFirstOrganizationToken(t.app.db, { identity: google }, t.app.now());
const grace = () => t.with(createIdToken({ id: 'grace', ...contact }));

describe('a new installation with a Firebase project', () => {
  test('issues a token on each start, and only the last token is valid', async () => {
    const [first, second] = [await start(), await start()];
    const signUpRequest = async (organizationCreationToken = '') =>
      (await grace().client(OrganizationService).validateCreationToken({ organizationCreationToken })).valid;
    expect([await signUpRequest(first), await signUpRequest(second)]).toEqual([false, true]);
  });

  test("makes the first organization's creator administrator and support staff", async () => {
    const organizationCreationToken = await start();
    const organizations = grace().client(OrganizationService);
    await organizations.create({ newOrganization: 'operations', contact, organizationCreationToken });
    const user = await grace().client(CurrentUserService).currentUser({});
    expect(user).toMatchObject({ currentOrganization: 'operations', roles: ['administrator', 'support'] });
    expect(user.supportPermissions?.include).not.toEqual([]);
    const issuance = grace().client(SupportService).issueCreationToken({ email: 'next@example.com' });
    await expect(issuance).resolves.toBeDefined();
    expect(await start()).toBeUndefined();
  });

  test('prints the token with instructions', () => {
    const environment = { QUARTERDECK_FIREBASE_PROJECT: google.project, QUARTERDECK_FIREBASE_API_KEY: google.apiKey };
    const settings = readSettings([], environment);
    const message = (token?: string) => announcement(settings, { address: 'http://127.0.0.1:7878', token }, 1);
    expect(message('qdc_secret')).toMatch(/http:\/\/127\.0\.0\.1:7878\/organization\/create[\s\S]*qdc_secret/);
    expect(message()).not.toContain('organization/create');
  });
});
