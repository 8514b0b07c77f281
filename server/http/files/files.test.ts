import { connect } from 'node:net';

import { Code } from '@connectrpc/connect';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MAX_FILE_BYTES, MAX_FILES_BYTES } from '#commands/text/lengths.ts';
import { DeviceNoteService } from '#proto/gen/hiber/device_note_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { Export_Format_Type, ExportService } from '#proto/gen/hiber/export_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { runExports } from '#server/domains/data/export/run.ts';
import { deleteExpiredFiles } from '#server/domains/data/file/expiry.ts';
import { file, fileContent } from '#server/domains/data/file/schema.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { type TestListener, startListening } from '#server/testkit/listener.ts';
import { createIdToken } from '#server/testkit/server.ts';
import { addTenants } from '#server/testkit/tenants.ts';

import { contentDisposition } from './content-disposition.ts';

let server: TestListener;
let outsider: Record<'authorization', string>;
beforeAll(async () => {
  server = await startListening({ config: { corsOrigins: new Set(['https://console.example']) } });
  const { beta } = await addTenants(server.t.app.db, server.t.app.now());
  outsider = { authorization: `Bearer ${createIdToken(beta.member('administrator'))}` };
});
afterAll(() => server.close());

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const fetchFile = (link: string, init: RequestInit = {}) =>
  fetch(server.base + link, { redirect: 'manual', ...init, headers: { ...server.bearer, ...init.headers } });
const post = (name: string, type: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetchFile(`/files/northwind?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...headers },
  });
const upload = async (name: string, type: string, body: Uint8Array | string) =>
  ((await (await post(name, type, body as BodyInit)).json()) as { link: string }).link;
const contentCount = () => server.t.app.db.orm.$count(fileContent);

describe('a download', () => {
  test('sends what was uploaded, in full, as a range, and without a body', async () => {
    const bytes = Buffer.alloc(600_000, 'abcdefg');
    const link = await upload('log.txt', 'text/plain', bytes);
    const response = await fetchFile(link);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="log.txt"; filename*=UTF-8''log.txt`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    const head = await fetchFile(link, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['600000', '']);
    const range = await fetchFile(link, { headers: { range: 'bytes=262140-262150' } });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, 'bytes 262140-262150/600000']);
    expect(await range.text()).toBe(bytes.subarray(262_140, 262_151).toString());
    const tail = await fetchFile(link, { headers: { range: 'bytes=-4' } });
    expect(await tail.text()).toBe(bytes.subarray(-4).toString());
    expect((await fetchFile(link, { headers: { range: 'bytes=600000-' } })).status).toBe(416);
  });

  test.each([
    ['a page', 'page.html', 'text/html', '<script>alert(1)</script>'],
    ['a page that claims to be an image', 'page.png', 'image/png', '<script>alert(1)</script>'],
    ['a drawing', 'a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a page as XML', 'a.xhtml', 'application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['a script', 'a.js', 'text/javascript', 'alert(1)'],
  ])('of %s is an attachment that no browser runs', async (_, name, type, body) => {
    const response = await fetchFile(await upload(name, type, body));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  test('shows only what starts as an image in place, as that image', async () => {
    const polyglot = Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]);
    const response = await fetchFile(await upload('x.html', 'text/html', polyglot));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toMatch(/^inline;/);
    // A type from before this rule isn't trusted either.
    const link = await upload('old.png', 'text/plain', '<script>');
    const key = link.split('/').at(-1)!;
    await server.t.app.db.orm.update(file).set({ mediaType: 'image/png' }).where(eq(file.key, key));
    expect((await fetchFile(link)).headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  test('redirects to a web address only', async () => {
    const files = server.t.as('administrator').client(FileService);
    const url = 'https://example.com/plan.pdf';
    const { file: plan } = await files.upload({ file: { content: { case: 'url', value: url } } });
    const response = await fetchFile(plan!.link);
    expect([response.status, response.headers.get('location')]).toEqual([301, url]);
    await server.t.app.db.orm
      .update(file)
      .set({ url: 'javascript:alert(1)' })
      .where(eq(file.identifier, plan!.identifier));
    const unsafe = await fetchFile(plan!.link);
    expect([unsafe.status, unsafe.headers.get('location')]).toEqual([404, null]);
  });

  test('is only for callers in its organization with the permission', async () => {
    const link = await upload('secret', 'text/plain', 'x');
    const status = async (path: string, headers: Record<string, string>) =>
      (await fetch(server.base + path, { headers })).status;
    expect(await status(link, {})).toBe(401);
    expect(await status(link, outsider)).toBe(403);
    expect(await status(link.replace('northwind', 'beta'), outsider)).toBe(404);
    const { identifier } = (await server.t.app.db.orm.select().from(file).where(eq(file.name, 'secret')))[0]!;
    expect(await status(`/files/northwind/${identifier}`, server.bearer)).toBe(404);
    expect(await status(`/files/northwind/%ff`, server.bearer)).toBe(404);
    const viewer = { authorization: `Bearer ${server.t.as('viewer').bearer}` };
    const denied = await server.t
      .as('viewer')
      .client(FileService)
      .get({ identifier })
      .catch((error: unknown) => error);
    const expected = (denied as { code?: Code }).code === Code.PermissionDenied ? 403 : 200;
    expect(await status(link, viewer)).toBe(expected);
  });
});

describe('an export', () => {
  const exports = (kind: 'administrator' | 'support' = 'administrator') => server.t.as(kind).client(ExportService);
  /** Exports messages to a file whose only column has the given name. Returns the link. */
  async function exportMessages(name: string): Promise<{ identifier: string; link: string }> {
    const { devices } = await server.t
      .as('administrator')
      .client(DeviceService)
      .list({ pagination: { size: 1 } });
    const { created } = await exports().create({
      name: 'Böse/"Namen"',
      format: {
        type: Export_Format_Type.CSV,
        configuration: { case: 'csv', value: { columns: [{ name, jsonPath: '$.modemNumber' }] } },
      },
      configuration: { type: { case: 'modemMessage', value: { modems: devices.map(({ number }) => number) } } },
    });
    await runExports(server.t.app);
    const identifier = created!.identifier;
    const list = await exports().list({ selection: { identifiers: [identifier] } });
    return { identifier, link: list.exports[0]!.urls[0]!.url };
  }

  test('is an attachment, even if it starts like an image', async () => {
    const { link } = await exportMessages('GIF89a');
    const response = await fetchFile(link);
    expect(await response.text()).toMatch(/^GIF89a\n[0-9A-F]{4} /);
    expect(response.headers.get('content-type')).toBe('text/csv');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="B_se/_Namen_.csv"; filename*=UTF-8''B%C3%B6se%2F%22Namen%22.csv`,
    );
    const range = await fetchFile(link, { headers: { range: 'bytes=0-2' } });
    expect([range.status, await range.text()]).toEqual([206, 'GIF']);
  });

  test('needs the session of a caller with EXPORT in its organization, and exists', async () => {
    const { identifier, link } = await exportMessages('Number');
    const status = async (path: string, headers: Record<string, string>) =>
      (await fetch(server.base + path, { headers })).status;
    expect(await status(link, server.bearer)).toBe(200);
    expect(await status(link, {})).toBe(401);
    expect(await status(link, outsider)).toBe(403);
    expect(await status(link.replace('northwind', 'beta'), outsider)).toBe(404);
    expect(await status(link, { authorization: `Bearer ${server.t.as('viewer').bearer}` })).toBe(403);
    // Its key isn't that of an uploaded file.
    expect(await status(link.replace('/exports', ''), server.bearer)).toBe(404);
    await exports().delete({ identifier });
    const gone = await fetchFile(link);
    expect([gone.status, await gone.json()]).toEqual([
      404,
      expect.objectContaining({ message: 'There is no export at this address. It may have expired or been deleted.' }),
    ]);
  });

  test('is only for those who may read its content, even if someone else requested it', async () => {
    const { link } = await exportMessages('Number');
    const tokens = server.t.as('administrator').client(TokenService);
    const download = async (...permissions: readonly OrganizationPermission[]) => {
      const include = [OrganizationPermission.EXPORT, ...permissions];
      const { token } = await tokens.create({ name: `x${permissions.length}`, organizationPermissions: { include } });
      const response = await fetch(server.base + link, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, await response.text()];
    };
    expect(await download()).toEqual([403, expect.stringContaining('You need the MODEM_MESSAGES permission')]);
    expect(await download(OrganizationPermission.MODEM_MESSAGES)).toEqual([200, expect.stringMatching(/^Number/)]);
  });

  test('does not count for the limit of files, and is not removed like an unfinished upload', async () => {
    const { link } = await exportMessages('Number');
    await server.t.app.db.orm
      .update(fileContent)
      .set({ createdAt: new Date(0) })
      .where(eq(fileContent.isExport, true));
    await deleteExpiredFiles(server.t.app);
    expect((await fetchFile(link)).status).toBe(200);
    const size = sql`${MAX_FILES_BYTES + 1}::bigint`;
    await server.t.app.db.orm.update(fileContent).set({ size }).where(eq(fileContent.isExport, true));
    expect((await post('small.txt', 'text/plain', 'x')).status).toBe(201);
  });
});

describe('an upload', () => {
  test.each([
    ['compressed', '', { 'content-encoding': 'gzip' }, 415, `The content-encoding "gzip" isn't supported.`],
    ['with an unknown parameter', '&expiresAt=2030-01-01', {}, 400, `The parameter "expiresAt" isn't known.`],
    ['with an unclear draft', '&draft=1', {}, 400, 'draft must be true or false, not "1".'],
  ])('%s is rejected', async (_, params, headers, status, message) => {
    const before = await contentCount();
    const response = await fetchFile(`/files/northwind?name=a.txt${params}`, { method: 'POST', body: 'a', headers });
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(await contentCount()).toBe(before);
  });

  test('is denied as the rpc is', async () => {
    const headers = { 'content-type': 'text/plain', ...outsider };
    const response = await fetch(`${server.base}/files/northwind?name=x`, { method: 'POST', body: 'x', headers });
    expect(response.status).toBe(403);
    const anonymous = await fetch(`${server.base}/files/northwind?name=x`, { method: 'POST', body: 'x' });
    expect(anonymous.status).toBe(401);
    const support = { authorization: `Bearer ${server.t.as('support').bearer}` };
    const readOnly = await fetch(`${server.base}/files/northwind`, { method: 'POST', body: 'x', headers: support });
    expect(await readOnly.text()).toContain('is read-only. Allow changes first');
  });

  test('stops at the size limit, whether it announces its size or not', async () => {
    const before = await contentCount();
    const announced = await post('big', 'text/plain', new Uint8Array(MAX_FILE_BYTES + 1));
    expect(announced.status).toBe(413);
    expect(await announced.json()).toMatchObject({ message: expect.stringContaining('at most 25 MB') as string });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
        if (sent > 2 * MAX_FILE_BYTES) controller.close();
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half', headers: server.bearer };
    const response = await fetch(`${server.base}/files/northwind?name=endless`, init);
    expect(response.status).toBe(413);
    expect(await contentCount()).toBe(before);
  });

  test('that is cut off leaves nothing behind', async () => {
    const before = await contentCount();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST /files/northwind?name=cut HTTP/1.1\r\nhost: localhost\r\nauthorization: ${server.bearer.authorization}\r\n` +
        'content-length: 1000000\r\n\r\n',
    );
    socket.write(Buffer.alloc(500_000));
    await eventually(async () => expect(await contentCount()).toBe(before + 1));
    socket.destroy();
    await eventually(async () => expect(await contentCount()).toBe(before));
  });

  test('expires when it says, and replaces the file with its identifier', async () => {
    const path = '/files/northwind?name=a&identifier=rest-1';
    const first = await fetchFile(`${path}&expires_at=2999-01-01T00:00:00Z`, { method: 'POST', body: 'a' });
    expect(await first.json()).toMatchObject({ identifier: 'rest-1', expiresAt: { textual: '2999-01-01T00:00:00Z' } });
    const second = await fetchFile(path, { method: 'POST', body: 'b' });
    const { link, expiresAt } = (await second.json()) as { link: string; expiresAt?: unknown };
    expect([await (await fetchFile(link)).text(), expiresAt]).toEqual(['b', undefined]);
    expect((await fetchFile(`${path}&expires_at=soon`, { method: 'POST', body: 'a' })).status).toBe(400);
  });
});

test('a draft is kept only if something refers to it after a day', async () => {
  const app = server.t.app;
  const administrator = server.t.as('administrator');
  const exists = async (identifier: string) => (await app.db.orm.$count(file, eq(file.identifier, identifier))) > 0;
  const draft = (identifier: string) =>
    fetchFile(`/files/northwind?name=${identifier}&identifier=${identifier}&draft=true`, { method: 'POST', body: 'x' });
  for (const identifier of ['noted', 'forgotten', 'replaced']) expect((await draft(identifier)).status).toBe(201);
  const { devices } = await administrator.client(DeviceService).list({ pagination: { size: 1 } });
  const notes = [{ message: 'See the photo.', files: ['noted'] }];
  await administrator.client(DeviceNoteService).add({ device: devices[0]!.number, notes });
  // The same file, but no longer a draft.
  await fetchFile('/files/northwind?name=replaced&identifier=replaced', { method: 'POST', body: 'x' });
  const names = ['noted', 'forgotten', 'replaced'];
  const remaining = async (hours: number) => {
    const now = () => new Date(app.now().getTime() + hours * 3_600_000);
    await deleteExpiredFiles({ db: app.db, now });
    return (await Promise.all(names.map(exists))).map((isThere, index) => (isThere ? names[index] : undefined));
  };
  const before = await contentCount();
  expect(await remaining(23)).toEqual(names);
  expect(await remaining(25)).toEqual(['noted', undefined, 'replaced']);
  expect(await contentCount()).toBe(before - 1);
  // What was kept is an ordinary file from then on.
  expect(await app.db.orm.$count(file, isNotNull(file.draftUntil))).toBe(0);
});

test('only known methods and origins are allowed', async () => {
  expect((await fetchFile('/files/northwind', { method: 'GET' })).status).toBe(405);
  expect((await fetchFile('/files/northwind/x', { method: 'DELETE' })).status).toBe(405);
  const preflight = await fetch(`${server.base}/files/northwind`, {
    method: 'OPTIONS',
    headers: { origin: 'https://console.example', 'access-control-request-method': 'GET' },
  });
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
});

test('a name is safe in a header and gets an ending if it has none', () => {
  expect(contentDisposition(true, 'Bron "é"\r\nx', 'image/png')).toBe(
    `inline; filename="Bron __________x.png"; filename*=UTF-8''Bron%20%22%C3%A9%22%0D%0Ax.png`.replace(
      '__________',
      '_____',
    ),
  );
  expect(contentDisposition(false, 'plan.pdf', 'application/pdf')).toContain('filename="plan.pdf"');
});
