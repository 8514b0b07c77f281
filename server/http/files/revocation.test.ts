import { eq, sum } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MAX_FILE_BYTES } from '#commands/text/lengths.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { membership } from '#server/db/schema/user.ts';
import { dataExport } from '#server/domains/data/export/schema.ts';
import { PART_BYTES } from '#server/domains/data/file/content.ts';
import { presentFile } from '#server/domains/data/file/files.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';
import { type AccessSubject, accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { type TestListener, startListening } from '#server/testkit/listener.ts';
import { demoPerson } from '#server/testkit/server.ts';
import { addExport, addFile } from '#server/testkit/stored-files.ts';

let server: TestListener;
beforeAll(async () => void (server = await startListening()));
afterAll(() => server.close());

/** More than fits into the buffers between the server and a reader that waits. */
const BYTES = Buffer.alloc(MAX_FILE_BYTES, 'x');
const viewer = demoPerson('viewer');
const app = () => server.t.app;
const administrator = <S extends typeof TokenService | typeof UserService>(service: S) =>
  server.t.as('administrator').client(service);

const storeFile = async () => presentFile(await addFile(app(), 'northwind', BYTES)).link;
const storeExport = () => addExport(app(), 'northwind', BYTES);

async function createToken(...include: readonly OrganizationPermission[]) {
  const name = `download ${Math.random()}`;
  const { token } = await administrator(TokenService).create({
    name,
    organizationPermissions: { include: [...include] },
  });
  const [row] = await app().db.orm.select().from(tokens).where(eq(tokens.name, name));
  return { bearer: token, ...row! };
}

/** Makes a change, and waits until the server knows of it. */
async function changeAccess(subject: AccessSubject, change: () => Promise<unknown>): Promise<void> {
  const watch = app().bus.watchAccess();
  const noticed = new Promise<void>((resolve) => watch.watch([subject], resolve));
  await change();
  await noticed;
  watch.close();
}

/** Starts a download, changes something once its first bytes arrived, and returns how much arrives in total. */
async function download(
  link: string,
  bearer: string | undefined,
  subject: AccessSubject,
  change: () => Promise<unknown>,
) {
  const response = await fetch(server.base + link, { headers: { authorization: `Bearer ${bearer}` } });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  let received = (await reader.read()).value!.byteLength;
  await changeAccess(subject, change);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.byteLength;
  } catch {
    return { received, isComplete: false };
  }
  return { received, isComplete: true };
}

const wasStopped = ({ received, isComplete }: Awaited<ReturnType<typeof download>>): boolean =>
  !isComplete && received < BYTES.byteLength;

describe('a download stops', () => {
  test.each([
    ['a file', [OrganizationPermission.FILES], storeFile],
    ['an export', [OrganizationPermission.EXPORT, OrganizationPermission.MODEM_MESSAGES], storeExport],
  ])('if its token is deleted: %s', async (_, permissions, store) => {
    const { bearer, id, organization } = await createToken(...permissions);
    const remove = () => administrator(TokenService).delete({ tokenId: BigInt(id) });
    expect(wasStopped(await download(await store(), bearer, accessSubject.token({ organization, id }), remove))).toBe(
      true,
    );
  });

  test('if the permission for the content of an export is removed', async () => {
    const { EXPORT, MODEM_MESSAGES } = OrganizationPermission;
    const { bearer, id, organization } = await createToken(EXPORT, MODEM_MESSAGES);
    const remove = () =>
      administrator(TokenService).updateTokenOrganizationPermissions({
        tokenIds: [BigInt(id)],
        removeOrganizationPermissions: [MODEM_MESSAGES],
      });
    expect(
      wasStopped(await download(await storeExport(), bearer, accessSubject.token({ organization, id }), remove)),
    ).toBe(true);
  });

  test('if its user is suspended', async () => {
    const link = await storeFile();
    const suspend = () => administrator(UserService).suspend({ userIds: [viewer.id] });
    const subject = accessSubject.signIns(viewer.id);
    try {
      expect(wasStopped(await download(link, server.t.as('viewer').bearer, subject, suspend))).toBe(true);
    } finally {
      await app().db.orm.update(membership).set({ suspendedAt: null }).where(eq(membership.userId, viewer.id));
    }
  });

  test('if its support session ends', async () => {
    const support = server.t.as('support');
    const session = support.client(SupportService);
    const link = await storeExport();
    await session.beginSupportSession({ organization: 'northwind' });
    const subject = accessSubject.organization('northwind');
    const end = async () => {
      await session.endSupportSession({ organization: 'northwind' });
      // The end of the session is announced before this.
      await app().db.transaction(async (tx) => announceAccessChanged(tx, [subject]));
    };
    expect(wasStopped(await download(link, support.bearer, subject, end))).toBe(true);
  });

  test('if its export is hidden meanwhile', async () => {
    const link = await storeExport();
    const { bearer, id, organization } = await createToken(
      OrganizationPermission.EXPORT,
      OrganizationPermission.MODEM_MESSAGES,
    );
    const subject = accessSubject.token({ organization, id });
    const hide = () =>
      app().db.transaction(async (tx) => {
        await tx.update(dataExport).set({ hidden: true });
        announceAccessChanged(tx, [subject]);
      });
    expect(wasStopped(await download(link, bearer, subject, hide))).toBe(true);
  });
});

test('a download goes on if a change leaves the access', async () => {
  const subject = accessSubject.organization('northwind');
  const announce = () => app().db.transaction(async (tx) => announceAccessChanged(tx, [subject]));
  expect(await download(await storeFile(), server.t.as('viewer').bearer, subject, announce)).toEqual({
    received: BYTES.byteLength,
    isComplete: true,
  });
});

/** Starts an upload, changes something once its first part is stored, sends the rest, and returns the response. */
async function upload(bearer: string | undefined, subject: AccessSubject, change: () => Promise<unknown>) {
  const storedBytes = async () => {
    const [row] = await app()
      .db.orm.select({ bytes: sum(fileContent.size) })
      .from(fileContent);
    return Number(row!.bytes);
  };
  const before = await storedBytes();
  const { readable, writable } = new TransformStream<Uint8Array>();
  const sending = (async () => {
    const writer = writable.getWriter();
    await writer.write(BYTES.subarray(0, 2 * PART_BYTES));
    await expect.poll(storedBytes).toBeGreaterThan(before);
    await changeAccess(subject, change);
    await writer.write(BYTES.subarray(0, 2 * PART_BYTES));
    await writer.close();
  })();
  const request = { method: 'POST', body: readable, duplex: 'half', headers: { authorization: `Bearer ${bearer}` } };
  const response = await fetch(`${server.base}/files/northwind?name=log.txt`, request);
  // The server may answer before everything was sent.
  await sending.catch(() => undefined);
  return { status: response.status, body: await response.text(), stored: (await storedBytes()) - before };
}

describe('an upload', () => {
  test('is rejected, and leaves nothing, if its token is deleted', async () => {
    const { bearer, id, organization } = await createToken(OrganizationPermission.FILES_UPLOAD);
    const remove = () => administrator(TokenService).delete({ tokenId: BigInt(id) });
    expect(await upload(bearer, accessSubject.token({ organization, id }), remove)).toMatchObject({
      status: 401,
      stored: 0,
    });
  });

  test('is rejected, and leaves nothing, if its permission is removed', async () => {
    const { FILES, FILES_UPLOAD } = OrganizationPermission;
    const { bearer, id, organization } = await createToken(FILES, FILES_UPLOAD);
    const remove = () =>
      administrator(TokenService).updateTokenOrganizationPermissions({
        tokenIds: [BigInt(id)],
        removeOrganizationPermissions: [FILES_UPLOAD],
      });
    expect(await upload(bearer, accessSubject.token({ organization, id }), remove)).toMatchObject({
      status: 403,
      stored: 0,
    });
  });

  test('goes on if a change leaves the access', async () => {
    const subject = accessSubject.organization('northwind');
    const announce = () => app().db.transaction(async (tx) => announceAccessChanged(tx, [subject]));
    expect(await upload(server.t.as('administrator').bearer, subject, announce)).toMatchObject({
      status: 201,
      stored: 4 * PART_BYTES,
    });
  });
});
