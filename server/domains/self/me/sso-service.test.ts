import { Code } from '@connectrpc/connect';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

const helpDesk = { url: 'https://help.example.com/jwt', secret: 'a shared secret that is long enough to sign' };
let t: TestServer;
beforeAll(async () => void (t = await startTestServer({ config: { helpDesk } })));
afterAll(() => t.close());

const viewer = demoPerson('viewer');

describe('signing in to the help desk', () => {
  test('gives a member a short-lived token that identifies them', async () => {
    const { token } = await t.as('viewer').client(SingleSignOnService).zendesk({});
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(helpDesk.secret));
    expect(protectedHeader.alg).toBe('HS256');
    expect(payload).toMatchObject({
      email: viewer.email,
      name: viewer.name,
      external_id: viewer.id,
      organization: 'northwind',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(180);
    const { token: nextToken } = await t.as('viewer').client(SingleSignOnService).zendesk({});
    const { payload: nextPayload } = await jwtVerify(nextToken, new TextEncoder().encode(helpDesk.secret));
    expect(nextPayload.jti).not.toBe(payload.jti);
  });

  test('requires a verified address and is denied with an API token', async () => {
    const unverified = t.with(createIdToken({ ...viewer, emailVerified: false })).client(SingleSignOnService);
    await expect(unverified.zendesk({})).rejects.toThrow('Verify your email address');
    const { token } = await t.as('administrator').client(TokenService).create({ name: 'machine' });
    const machine = t.with(token).client(SingleSignOnService);
    await expect(machine.zendesk({})).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test('is announced by the server, and rejected if no help desk is configured', async () => {
    const { signIn } = await t.with(undefined).client(ServerService).info({});
    expect(signIn?.helpDesk).toBe(helpDesk.url);
    onTestFinished(() => void (t.app.config.helpDesk = helpDesk));
    t.app.config.helpDesk = undefined;
    const call = t.as('viewer').client(SingleSignOnService).zendesk({});
    await expect(call).rejects.toMatchObject({ code: Code.FailedPrecondition });
  });
});
