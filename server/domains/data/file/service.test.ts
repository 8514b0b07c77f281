import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createIdToken } from '#server/testkit/server.ts';
import { addTenants, type Tenants } from '#server/testkit/tenants.ts';

import { PART_BYTES, storeContent } from './content.ts';
import { deleteExpiredFiles } from './expiry.ts';
import { file, fileContent, filePart } from './schema.ts';

let t: TestServer;
let tenants: Tenants;
beforeAll(async () => {
  t = await startTestServer();
  tenants = await addTenants(t.app.db, t.app.now());
  await t.as('support').client(SupportService).beginSupportSession({ organization: 'northwind', reason: 'Files' });
  await t.as('support').client(SupportService).allowChanges({ organization: 'northwind' });
});
afterAll(() => t.close());

const files = () => t.as('administrator').client(FileService);
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('pixels')]);
const upload = (fields: { name?: string; mediaType?: string; identifier?: string }, value: Uint8Array = png) =>
  files().upload({ file: { ...fields, content: { case: 'dataRaw', value } } });
const partsOf = async (identifier: string) => {
  const [row] = await t.app.db.orm.select().from(file).where(eq(file.identifier, identifier));
  const content = row?.content ?? '';
  return t.app.db.orm.select({ index: filePart.index }).from(filePart).where(eq(filePart.content, content));
};
const contentCount = () => t.app.db.orm.$count(fileContent);

describe('Upload', () => {
  test('stores the bytes in parts, and Get returns them in each encoding', async () => {
    const bytes = new Uint8Array(2 * PART_BYTES + 3).map((_, index) => index % 251);
    const { file: uploaded } = await upload({ name: 'C:\\photos\\log', mediaType: 'Application/X-Log; a=b' }, bytes);
    expect(uploaded).toMatchObject({ name: 'log', mediaType: 'application/x-log', content: { case: 'fileService' } });
    const identifier = uploaded!.identifier;
    expect((await partsOf(identifier)).map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    const get = async (dataFormatted?: { case: 'dataRaw' | 'dataUri'; value: boolean }) =>
      (await files().get({ identifier, dataFormatted })).file?.content;
    const hex = Buffer.from(bytes).toString('hex').toUpperCase();
    const base64 = Buffer.from(bytes).toString('base64');
    expect(((await get()) as { value: { hex: string } }).value.hex === hex).toBe(true);
    expect((await get({ case: 'dataRaw', value: false }))?.case).toBe('data');
    // Comparing arrays of half a million elements would take seconds.
    const raw = (await get({ case: 'dataRaw', value: true }))?.value as Uint8Array;
    expect(Buffer.from(raw).equals(bytes)).toBe(true);
    expect(await get({ case: 'dataUri', value: true })).toEqual({
      case: 'dataUri',
      value: `data:application/x-log;base64,${base64}`,
    });
    const inHex = await files().get({ identifier, dataFormatted: { case: 'dataFormattedHex', value: true } });
    expect(inHex.file?.content.value).toBe(hex);
    const inBase64 = await files().get({ identifier, dataFormatted: { case: 'dataFormattedBase64', value: true } });
    expect(inBase64.file?.content.value).toBe(base64);
  });

  test('replaces a file, keeps its link and references, and deletes the old content', async () => {
    const { file: first } = await upload({ name: 'plan', identifier: 'plan-1' });
    const tags = t.as('administrator').client(TagService);
    const tag = await tags.create({
      create: { name: 'Replaced', type: 'group' },
      files: [{ identifier: 'plan-1' }],
    });
    const before = await contentCount();
    const { file: second } = await upload({ name: 'plan b', identifier: 'plan-1' }, Buffer.from('new'));
    expect(second).toMatchObject({ identifier: 'plan-1', link: first!.link, name: 'plan b' });
    expect(await contentCount()).toBe(before);
    const { tags: listed } = await tags.list({ selection: { filter: { include: [tag.id] } } });
    expect(listed[0]?.metadata?.files.map(({ name }) => name)).toEqual(['plan b']);
  });

  test('reads base64 in any of its forms', async () => {
    for (const value of ['+/8=', '+/8', '-_8=', ' +/\r\n8= ']) {
      const { file } = await files().upload({ file: { content: { case: 'dataFormattedBase64', value } } });
      const stored = await files().get({
        identifier: file!.identifier,
        dataFormatted: { case: 'dataRaw', value: true },
      });
      expect(Buffer.from(stored.file!.content.value as Uint8Array).toString('hex'), value).toBe('fbff');
    }
  });

  test('stores a URL as a browser reads it', async () => {
    const content = { case: 'url' as const, value: ' https://EXAMPLE.com/a\r\nb c' };
    const { file } = await files().upload({ file: { content } });
    expect(file!.content.value).toBe('https://example.com/ab%20c');
  });

  test('trusts the bytes rather than the claimed type', async () => {
    const type = async (mediaType: string, bytes: Uint8Array) => (await upload({ mediaType }, bytes)).file?.mediaType;
    expect(await type('text/html', png)).toBe('image/png');
    expect(await type('image/png', Buffer.from('<html><script>alert(1)</script>'))).toBe('application/octet-stream');
    expect(await type('not a type', Buffer.from('x'))).toBe('application/octet-stream');
  });

  test.each([
    ['nothing', {}, 'Send the bytes of the file or its URL.'],
    ['a script as a URL', { content: { case: 'url' as const, value: 'javascript:alert(1)' } }, 'invalid URL'],
    [
      'an expiry in the past',
      { content: { case: 'dataRaw' as const, value: png }, expiresAt: { textual: '2020-01-01T00:00:00Z' } },
      'in the future',
    ],
    [
      'a URL with a password',
      { content: { case: 'url' as const, value: 'https://me:secret@example.com/' } },
      'contains a user name or password',
    ],
    [
      'text that is not base64',
      { content: { case: 'dataFormattedBase64' as const, value: 'aGVsbG8!' } },
      "isn't base64",
    ],
    ['base64 that was cut off', { content: { case: 'dataFormattedBase64' as const, value: 'aGVsb' } }, "isn't base64"],
    ['base64 in parts', { content: { case: 'dataUri' as const, value: 'data:;base64,aA==aA==' } }, "isn't base64"],
  ])('rejects %s', async (_, uploaded, message) => {
    const error = await files()
      .upload({ file: uploaded })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringContaining(message) as string });
  });
});

test('List searches name, media type, and URL, without content', async () => {
  await upload({ name: 'Needle 10', mediaType: 'application/x-hay' }, Buffer.from('a'));
  await upload({ name: 'Needle 9' });
  await files().upload({ file: { name: 'Elsewhere', content: { case: 'url', value: 'https://example.com/needle' } } });
  const names = async (search: string) => {
    const { files: found, pagination } = await files().list({ selection: { search } });
    expect(pagination?.total).toBe(found.length);
    expect(found.every(({ content }) => content.case === 'fileService' || content.case === 'url')).toBe(true);
    return found.map(({ name }) => name);
  };
  expect(await names('needle')).toEqual(['Elsewhere', 'Needle 9', 'Needle 10']);
  expect(await names('needle x-hay')).toEqual(['Needle 10']);
  expect(await names('100%')).toEqual([]);
});

test('Delete requires MANAGE_FILES and drops the references', async () => {
  const { file: uploaded } = await upload({ name: 'gone' });
  const { identifier } = uploaded!;
  const devices = t.as('administrator').client(DeviceService);
  const number = (await devices.list({})).devices[0]!.number;
  const selection = { modems: { include: [number] } };
  await devices.update({ devices: [{ selection, addFiles: [{ identifier }] }] });
  await expect(files().delete({ identifier })).rejects.toMatchObject({ code: Code.PermissionDenied });
  const before = await contentCount();
  const request = { organization: 'northwind', identifier };
  await t.as('support').client(FileService).delete(request);
  expect((await devices.list({ selection })).devices[0]?.files).toEqual([]);
  expect(await contentCount()).toBe(before - 1);
  await expect(t.as('support').client(FileService).delete(request)).rejects.toMatchObject({ code: Code.NotFound });
});

test("another organization can't reach a file by its identifier", async () => {
  const { alpha, beta } = tenants;
  const as = (tenant: typeof alpha) => t.with(createIdToken(tenant.member('administrator'))).client(FileService);
  const content = { case: 'dataRaw' as const, value: png };
  await as(alpha).upload({ file: { identifier: 'shared', name: 'of alpha', content } });
  await expect(as(beta).get({ identifier: 'shared' })).rejects.toMatchObject({ code: Code.NotFound });
  await as(beta).upload({ file: { identifier: 'shared', name: 'of beta', content } });
  expect((await as(alpha).get({ identifier: 'shared' })).file?.name).toBe('of alpha');
  expect((await as(beta).list({})).files.map(({ name }) => name)).toEqual(['of beta']);
  const foreign = as(beta).get({ organization: 'alpha', identifier: 'shared' });
  await expect(foreign).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('a file expires at once for readers, and the job deletes it and orphaned parts', async () => {
  const now = t.app.now();
  const expiresAt = { textual: new Date(now.getTime() + 60_000).toISOString() };
  const { file: uploaded } = await files().upload({
    file: { name: 'short', content: { case: 'dataRaw', value: png }, expiresAt },
  });
  const { identifier } = uploaded!;
  await storeContent(t.app.db.orm, 'northwind', [png], now);
  await deleteExpiredFiles(t.app);
  expect((await files().get({ identifier })).file?.name).toBe('short');
  const before = await contentCount();
  t.advance(61_000);
  await expect(files().get({ identifier })).rejects.toMatchObject({ code: Code.NotFound });
  t.advance(60 * 60_000);
  await deleteExpiredFiles(t.app);
  expect(await contentCount()).toBe(before - 2);
});

test('a failed upload leaves no parts', async () => {
  const before = await contentCount();
  async function* broken() {
    yield new Uint8Array(PART_BYTES);
    throw new Error('cut');
  }
  await expect(storeContent(t.app.db.orm, 'northwind', broken(), t.app.now())).rejects.toThrow('cut');
  expect(await contentCount()).toBe(before);
});

test('the files of an organization have a total limit', async () => {
  const { alpha } = tenants;
  await t.app.db.orm
    .insert(fileContent)
    .values({ organization: 'alpha', id: 'huge', size: 2 ** 31, createdAt: t.app.now() });
  const member = t.with(createIdToken(alpha.member('administrator'))).client(FileService);
  const error = await member
    .upload({ file: { content: { case: 'dataRaw', value: png } } })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: 'The files of alpha can have at most 2 GB together. Delete files that nobody needs first.',
  });
});
