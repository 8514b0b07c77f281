import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const logged: string[] = [];
let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  t.app.log = createLog('json', (line) => logged.push(line));
});
afterAll(() => t.close());

describe('ids of another organization', () => {
  it('are not found, and what they name stays as it is', async () => {
    const child = { organization: 'northwind-north' };
    const [theirs] = (await t.as('viewer').client(ModemService).list(child)).modems;
    const modemNumber = theirs?.number ?? '';
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
      name: theirs?.name,
    });
  });

  it('reach no token and no visit', async () => {
    const notFound = { code: Code.NotFound };
    const { created } = await t.as('support').client(TokenService).create({ name: 'of staff' });
    const away = t.as('administrator');
    await expect(away.client(TokenService).delete({ tokenId: created?.id ?? 0n })).rejects.toMatchObject(notFound);
    const { visit } = await t.as('support').client(SupportService).beginVisit({ organization: 'northwind-permian' });
    const visitId = visit?.id ?? 0n;
    await expect(away.client(SupportService).listCalls({ visitId })).rejects.toMatchObject(notFound);
  });
});

it('lists longer than a query takes are refused by their name, wherever in a request they stand', async () => {
  const refused = { code: Code.InvalidArgument };
  const many = Array.from({ length: 70_000 }, (_, index) => `user-${index}`);
  const users = t.as('administrator').client(UserService);
  await expect(users.remove({ userIds: many })).rejects.toThrow('user_ids lists 70000 items');
  await expect(users.list({ selection: { userIds: many } })).rejects.toMatchObject(refused);
  await expect(t.as('viewer').client(SessionService).revoke({ ids: many })).rejects.toMatchObject(refused);
  await expect(users.list({ selection: { userIds: many.slice(0, 10_000) } })).resolves.toMatchObject({ users: [] });
});

describe('text', () => {
  const organizations = () => t.as('administrator').client(OrganizationService);

  it('is only ever text', async () => {
    const displayName = '<img src=x onerror=alert(1)> "; drop table organization; -- ${x} {{x}} %s';
    await expect(organizations().update({ displayName })).resolves.toMatchObject({ displayName });
    const { childOrganizations } = await organizations().listChildOrganizations({ selection: { search: '%_\\' } });
    expect(childOrganizations).toEqual([]);
  });

  it('that cannot be stored is refused wherever it stands, and ids beyond all bounds are too', async () => {
    const tags = t.as('administrator').client(TagService);
    const invalid = { code: Code.InvalidArgument };
    await expect(tags.create({ create: { name: 'a\u0000b' } })).rejects.toMatchObject(invalid);
    await expect(organizations().get({ organization: 'a\u0000b' })).rejects.toMatchObject(invalid);
    await expect(tags.delete({ id: 2n ** 63n - 1n })).rejects.toMatchObject(invalid);
    expect(logged).toEqual([]);
  });
});

describe('the log', () => {
  it('holds nothing that lets anybody in, also when something breaks', async () => {
    const administrator = t.as('administrator');
    const secret = 'a webhook secret';
    const { token } = await administrator.client(TokenService).create({ name: 'leaky' });
    const organizationCreationToken = 'qdc_a-creation-token-that-somebody-typed';
    await t.app.db.pool.query('alter table webhook rename to webhook_away');
    await t.app.db.pool.query('alter table creation_token rename to creation_token_away');
    await t.app.db.pool.query('alter table token rename to token_away');
    const calls = await Promise.allSettled([
      administrator.client(WebhookService).create({ data: { url: 'http://127.0.0.1:9/hook', secret } }),
      administrator.client(OrganizationService).validateCreationToken({ organizationCreationToken }),
      t.with(token).client(OrganizationService).get({}),
    ]);
    for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: { code: Code.Internal } });
    expect(logged.length).toBeGreaterThanOrEqual(calls.length);
    const text = logged.join('');
    for (const hidden of [secret, token, organizationCreationToken, administrator.bearer ?? '']) {
      expect(text).not.toContain(hidden);
    }
    expect(text).not.toMatch(/bearer|params:/i);
  });
});
