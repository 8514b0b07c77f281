import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { listen, type Listener } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { queueEmails } from '#server/mail/queue.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { localHelpDesk } from './help-desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-pages-'));
const stopController = new AbortController();
const ORIGIN = 'http://127.0.0.1:7878';
const helpDesk = localHelpDesk(ORIGIN);
const smtp = { url: 'smtp://127.0.0.1:9', from: 'desk@quarterdeck.example' };
let t: TestServer;
const servers: Listener[] = [];
let base: string;

async function serve(app: TestServer['app']): Promise<string> {
  const handler = createHandler(app, {
    consoleFolder: folder,
    identityPort: undefined,
    shutdown: stopController.signal,
  });
  const server = await listen(handler, '127.0.0.1', 0);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'index.html'),
    '<title>Console</title><link rel="stylesheet" crossorigin href="/assets/a.css">',
  );
  t = await startTestServer({ config: { helpDesk, origin: ORIGIN } });
  base = await serve(t.app);
});
afterAll(async () => {
  stopController.abort();
  for (const server of servers) await server.close();
  await t.close();
  rmSync(folder, { recursive: true });
});

const open = (origin: string) => fetch(`${origin}/outbox`, { headers: { accept: 'text/html' } });

describe('the outbox', () => {
  test('is initially empty', async () => {
    expect(await (await open(base)).text()).toContain('Nothing yet.');
  });

  test('shows emails as text, newest first, with links to this installation only', async () => {
    const body = `Accept: ${ORIGIN}/organization/invites?a=1&b=2.\nOr http://evil.example/x <img src=x onerror=alert(1)>`;
    await queueEmails(t.app, t.app.db.orm, [{ to: 'ann@acme.example', subject: 'You <b>are</b> invited', body }]);
    t.advance(1000);
    await queueEmails(t.app, t.app.db.orm, [{ to: '+31612345678', subject: '', body: 'Code 123456', channel: 'sms' }]);
    const response = await open(base);
    const page = await response.text();
    expect(page).toContain('You &lt;b&gt;are&lt;/b&gt; invited');
    expect(page).toContain(`<a href="${ORIGIN}/organization/invites?a=1&amp;b=2">`);
    expect(page).not.toContain('href="http://evil.example');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page.indexOf('Code 123456')).toBeLessThan(page.indexOf('Accept:'));
    expect(page).toContain('href="/assets/a.css"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self' 'sha256-/);
    expect(response.headers.get('content-security-policy')).not.toContain('script');
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(hash);
  });

  test('is shown only in a demo without a mail server', async () => {
    const { config } = t.app;
    for (const item of [{ smtp }, { demo: false }]) {
      const page = await (await open(await serve({ ...t.app, config: { ...config, ...item } }))).text();
      expect(page).toContain('<title>Console');
    }
  });
});

describe("the demo's help desk", () => {
  const post = (jwt: string) =>
    fetch(`${base}/help-desk/access/jwt`, { method: 'POST', body: new URLSearchParams({ jwt }) });

  test('accepts a token that Quarterdeck signed, but only once', async () => {
    const { token } = await t.as('viewer').client(SingleSignOnService).zendesk({});
    const first = await post(token);
    expect([first.status, await first.text()]).toEqual([
      200,
      expect.stringContaining('Signed in to the help desk as Bram de Wit'),
    ]);
    const second = await post(token);
    expect([second.status, await second.text()]).toEqual([401, expect.stringContaining('already been used')]);
  });

  test('rejects a token that is expired, unsigned, forged, or missing', async () => {
    const { token } = await t.as('viewer').client(SingleSignOnService).zendesk({});
    const claims = { name: '<i>Eve</i>', email: 'eve@evil.example', jti: '1' };
    const forgedToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .sign(new TextEncoder().encode('another secret, also long enough'));
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    for (const jwt of [forgedToken, unsigned, '', 'x'.repeat(20_000), 'x'.repeat(2_000_000)])
      expect((await post(jwt)).status).toBe(401);
    t.advance(10 * 60_000);
    expect((await post(token)).status).toBe(401);
    expect((await fetch(`${base}/help-desk/access/jwt?jwt=${token}`)).status).toBe(404);
  });
});
