import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { createLog } from '#server/base/log.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const logLines: string[] = [];
let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  t.app.log = createLog('json', (line) => logLines.push(line));
});
afterAll(() => t.close());

describe('ids of another organization', () => {
  test('are not found, and their devices stay unchanged', async () => {
    const child = { organization: 'northwind-north' };
    const [foreignDevice] = (await t.as('viewer').client(ModemService).list(child)).modems;
    const modemNumber = foreignDevice?.number ?? '';
    const notFound = { code: Code.NotFound };
    await expect(t.as('operator').client(ModemService).get({ modemNumber })).rejects.toMatchObject(notFound);
    const rename = { selection: { modems: { include: [modemNumber] } }, name: 'Mine' };
    await expect(
      t
        .as('operator')
        .client(DeviceService)
        .update({ devices: [rename] }),
    ).rejects.toThrow(modemNumber);
    const where = { case: 'organization', value: child.organization } as const;
    await expect(t.as('viewer').client(ModemService).get({ modemNumber, where })).resolves.toMatchObject({
      name: foreignDevice?.name,
    });
  });

  test('give no access to tokens or support sessions', async () => {
    const notFound = { code: Code.NotFound };
    const { created } = await t.as('support').client(TokenService).create({ name: 'of staff' });
    const administrator = t.as('administrator');
    await expect(administrator.client(TokenService).delete({ tokenId: created?.id ?? 0n })).rejects.toMatchObject(
      notFound,
    );
    const { supportSession } = await t
      .as('support')
      .client(SupportService)
      .beginSupportSession({ organization: 'northwind-permian' });
    const supportSessionId = supportSession?.id ?? 0n;
    await expect(administrator.client(SupportService).listCalls({ supportSessionId })).rejects.toMatchObject(notFound);
  });
});

test('rejects a list that is too long for a query, anywhere in a request, and names it', async () => {
  const invalidArgument = { code: Code.InvalidArgument };
  const userIds = Array.from({ length: 70_000 }, (_, index) => `user-${index}`);
  const users = t.as('administrator').client(UserService);
  await expect(users.remove({ userIds })).rejects.toThrow('"user_ids" lists 70000 items');
  await expect(users.list({ selection: { userIds } })).rejects.toMatchObject(invalidArgument);
  await expect(t.as('viewer').client(SessionService).revoke({ ids: userIds })).rejects.toMatchObject(invalidArgument);
  await expect(users.list({ selection: { userIds: userIds.slice(0, 10_000) } })).resolves.toMatchObject({ users: [] });
});

describe('text', () => {
  const organizations = () => t.as('administrator').client(OrganizationService);

  test('is never interpreted', async () => {
    const displayName = '<img src=x onerror=alert(1)> "; drop table organization; -- ${x} {{x}} %s';
    await expect(organizations().update({ displayName })).resolves.toMatchObject({ displayName });
    const { childOrganizations } = await organizations().listChildOrganizations({ selection: { search: '%_\\' } });
    expect(childOrganizations).toEqual([]);
  });

  test('must be storable, and ids must be in range', async () => {
    const tags = t.as('administrator').client(TagService);
    const invalid = { code: Code.InvalidArgument };
    await expect(tags.create({ create: { name: 'a\u0000b' } })).rejects.toMatchObject(invalid);
    await expect(organizations().get({ organization: 'a\u0000b' })).rejects.toMatchObject(invalid);
    await expect(tags.delete({ id: 2n ** 63n - 1n })).rejects.toMatchObject(invalid);
    expect(logLines).toEqual([]);
  });
});

describe('the log', () => {
  test('contains no credentials, even after an error', async () => {
    const administrator = t.as('administrator');
    const secret = 'a webhook secret';
    const { token } = await administrator.client(TokenService).create({ name: 'leaky' });
    const organizationCreationToken = 'qdc_a-creation-token-that-someone-typed';
    await t.app.db.pool.query('alter table webhook rename to webhook_away');
    await t.app.db.pool.query('alter table creation_token rename to creation_token_away');
    await t.app.db.pool.query('alter table token rename to token_away');
    const calls = await Promise.allSettled([
      administrator.client(WebhookService).create({ data: { url: 'http://127.0.0.1:9/hook', secret } }),
      administrator.client(OrganizationService).validateCreationToken({ organizationCreationToken }),
      t.with(token).client(OrganizationService).get({}),
    ]);
    for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: { code: Code.Internal } });
    expect(logLines.length).toBeGreaterThanOrEqual(calls.length);
    const text = logLines.join('');
    for (const hiddenText of [secret, token, organizationCreationToken, administrator.bearer ?? '']) {
      expect(text).not.toContain(hiddenText);
    }
    expect(text).not.toMatch(/bearer|params:/i);
  });
});
