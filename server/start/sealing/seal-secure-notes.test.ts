import { randomBytes } from 'node:crypto';

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { createSealer, SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { device } from '#server/db/schema/device.ts';
import { setting } from '#server/db/schema/setting.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { sealSecureNotes } from './seal-secure-notes.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const readNotes = async (): Promise<string[]> =>
  (await t.app.db.orm.select({ notes: device.secureNotes }).from(device)).map(({ notes }) => notes).filter(Boolean);

test('seals notes that an earlier release stored in plaintext', async () => {
  const devices = t.as('administrator').client(DeviceService);
  const [first] = (await devices.list({})).devices;
  const number = first?.number ?? '';
  await t.app.db.orm.update(device).set({ secureNotes: 'Gate code 1234.' }).where(eq(device.number, number));
  await t.app.db.orm.delete(setting).where(eq(setting.key, 'secure-notes-sealed'));
  expect(await readNotes()).toContain('Gate code 1234.');

  await sealSecureNotes(t.app.db, t.app.secrets);
  const sealed = await readNotes();
  expect(sealed.length).toBeGreaterThan(0);
  expect(sealed.filter((notes) => !notes.startsWith('v1.'))).toEqual([]);
  const selection = { modems: { include: [number] } };
  expect((await devices.list({ selection })).devices[0]?.secureNotes).toBe('Gate code 1234.');

  await sealSecureNotes(t.app.db, createSealer(randomBytes(SEALING_KEY_BYTES)));
  expect(await readNotes()).toEqual(sealed);
});

test('erases old rows on the next startup if the server was killed before erasing them', async () => {
  const { db, secrets } = t.app;
  const number = (await t.as('administrator').client(DeviceService).list({})).devices[0]?.number ?? '';
  await db.orm.update(device).set({ secureNotes: 'Gate code 5678.' }).where(eq(device.number, number));
  await db.orm.delete(setting).where(eq(setting.key, 'secure-notes-sealed'));
  /** Returns the path of the table's file. A new file contains no bytes of old rows. */
  const tableFile = async () =>
    (await db.pool.query<{ file: string }>(`select pg_relation_filepath('device') as file`)).rows[0]?.file;
  const before = await tableFile();
  const client = await db.pool.connect();
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const untilVacuum = (text: unknown, ...args: readonly unknown[]): unknown =>
    String(text).startsWith('vacuum') ? Promise.reject(new Error('killed')) : query(text, ...args);
  vi.spyOn(client, 'query').mockImplementation(untilVacuum);
  vi.spyOn(db.pool, 'connect').mockReturnValueOnce(Promise.resolve(client) as never);
  await expect(sealSecureNotes(db, secrets)).rejects.toThrow('killed');
  vi.restoreAllMocks();
  expect((await readNotes()).filter((notes) => !notes.startsWith('v1.'))).toEqual([]);
  expect(await tableFile()).toBe(before);

  await sealSecureNotes(db, secrets);
  expect(await tableFile()).not.toBe(before);
  const settled = await tableFile();
  await sealSecureNotes(db, secrets);
  expect(await tableFile()).toBe(settled);
});

test('seals, compares, and clears notes in updates', async () => {
  const devices = t.as('administrator').client(DeviceService);
  const numbers = (await devices.list({ pagination: { size: 2 } })).devices.map((device) => device.number);
  const selection = { modems: { include: numbers } };
  const set = (secureNotes: string, allowBulkSecureNotes = false) =>
    devices.update({ devices: [{ selection, secureNotes, allowBulkSecureNotes }] });
  await set('Key under the mat', true);
  expect((await readNotes()).join()).not.toContain('Key under');
  expect((await devices.list({ selection })).devices.map((device) => device.secureNotes)).toEqual([
    'Key under the mat',
    'Key under the mat',
  ]);
  // Both devices have the same notes, so the change overwrites nothing that the user has not seen.
  await set('Moved');
  await devices.update({ devices: [{ selection: { modems: { include: numbers.slice(1) } }, secureNotes: 'Other' }] });
  await expect(set('Lost')).rejects.toThrow('secure notes differ');
  await set('', true);
  expect((await devices.list({ selection })).devices.map((device) => device.secureNotes)).toEqual(['', '']);
});
