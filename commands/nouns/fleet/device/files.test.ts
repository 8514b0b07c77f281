import { afterAll, beforeAll, expect, test } from 'vitest';

import { filesHost } from '#commands/cli/files-host.ts';
import { testIo } from '#commands/cli/testkit/io.ts';
import type { Context } from '#commands/model/context.ts';
import { fileValue } from '#commands/model/files.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { DeviceNoteService } from '#proto/gen/hiber/device_note_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { type TestListener, startListening } from '#server/testkit/listener.ts';

let server: TestListener;
let context: Context;
let numbers: readonly string[];
const io = testIo();
beforeAll(async () => {
  server = await startListening();
  const { t, base } = server;
  const host = filesHost({ server: base, token: t.as('administrator').bearer! }, io);
  const caller = await contextAs(t, 'administrator');
  context = { ...caller, host: { ...caller.host, files: host } };
  const { devices } = await context.api(DeviceService).list({ pagination: { size: 3 } });
  numbers = devices.map(({ number }) => number);
});
afterAll(() => server.close());

const filesOf = async (number: string) => {
  const { devices } = await context.api(DeviceService).list({ selection: { modems: { include: [number] } } });
  return devices[0]!.files;
};
const attach = (ids: readonly string[], name: string, bytes: Uint8Array) =>
  invoke(context, {
    id: 'device.attach-file',
    args: { devices: { ids }, file: fileValue({ name, mediaType: 'image/png', bytes }) },
  });
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('attaches one file to several devices, downloads it, and undo detaches it', async () => {
  const completed = await attach(numbers, 'photo.png', PNG);
  expect(completed.outcome.message).toMatchObject({ key: 'common:files.attached', values: { count: 3 } });
  const identifiers = await Promise.all(numbers.map(async (number) => (await filesOf(number))[0]!.identifier));
  expect(new Set(identifiers).size).toBe(1);
  await type(context, `device download-file '${numbers[0]}' PHOTO.png`);
  expect(Buffer.from(io.written.get('photo.png')!).equals(PNG)).toBe(true);
  await expect(type(context, `device download-file '${numbers[0]}' photo.png`)).rejects.toMatchObject({
    userMessage: { key: 'common:files.exists' },
  });
  await undo(context, completed);
  expect(await filesOf(numbers[1]!)).toEqual([]);
  // Nothing refers to it anymore.
  const { files } = await context.api(FileService).list({ selection: { identifiers: [identifiers[0]!] } });
  expect(files).toEqual([]);
});

test('sends a large file over HTTP, once for all devices', async () => {
  const bytes = Buffer.concat([PNG, Buffer.alloc(5_000_000, 'x')]);
  await attach(numbers, 'large', bytes);
  await type(context, `device download-file '${numbers[2]}' large`);
  // The name gets the ending of its type.
  expect(Buffer.from(io.written.get('large.png')!).equals(bytes)).toBe(true);
  expect((await filesOf(numbers[0]!))[0]!.identifier).toBe((await filesOf(numbers[2]!))[0]!.identifier);
});

test('changes nothing if the upload of a large file is canceled', async () => {
  const [number] = numbers as [string];
  const before = await filesOf(number);
  const upload = () => Promise.reject(new DOMException('Canceled', 'AbortError'));
  const canceling = { ...context, host: { ...context.host, files: { ...context.host.files!, upload } } };
  const file = fileValue({ name: 'video.mp4', mediaType: 'video/mp4', bytes: Buffer.alloc(5_000_000) });
  const completion = invoke(canceling, { id: 'device.attach-file', args: { devices: { ids: [number] }, file } });
  // A failure of the run, rather than of the device, which would be unclear.
  await expect(completion).rejects.toMatchObject({ name: 'AbortError' });
  expect(await filesOf(number)).toEqual(before);
});

test('detaching names the file, and cannot be undone', async () => {
  const [number] = numbers as [string];
  await attach([number], 'once.txt', Buffer.from('text'));
  const plan = await planLine(context, `device detach-file '${number}' once.txt`);
  expect(plan).toMatchObject({
    count: 1,
    reversible: false,
    confirm: 'once.txt',
    changes: [{ removed: ['once.txt'] }],
  });
  const { inverse = [] } = await type(context, `device detach-file '${number}' once.txt`);
  expect(inverse).toEqual([]);
  expect((await filesOf(number)).map(({ name }) => name)).not.toContain('once.txt');
  const missing = type(context, `device detach-file '${number}' once.txt`);
  await expect(missing).rejects.toMatchObject({ userMessage: { key: 'common:files.none' } });
});

test('support deletes a file everywhere, after its name is typed', async () => {
  const [first, second] = numbers as [string, string];
  await attach([first, second], 'leak.png', PNG);
  const line = `device delete-file '${first}' leak.png`;
  await expect(type(context, line)).rejects.toMatchObject({ reason: { code: 'ability', missing: 'MANAGE_FILES' } });
  await type(await contextAs(server.t, 'support', 'northwind'), 'support allow-changes');
  const acting = await contextAs(server.t, 'support', 'northwind');
  expect(await planLine(acting, line)).toMatchObject({
    reversible: false,
    confirm: 'leak.png',
    changes: [{ removed: ['leak.png'] }],
    notes: expect.arrayContaining([{ key: 'common:files.everywhere' }]),
  });
  await type(acting, line);
  const names = async (number: string) => (await filesOf(number)).map(({ name }) => name);
  expect([await names(first), await names(second)].flat()).not.toContain('leak.png');
  await expect(type(acting, line)).rejects.toMatchObject({ userMessage: { key: 'common:files.none' } });
});

test("the files of a device's notes are downloaded by their names, too", async () => {
  const [number] = numbers as [string];
  const files = [fileValue({ name: 'plate.png', mediaType: 'image/png', bytes: PNG })];
  await invoke(context, { id: 'device.add-note', args: { devices: { ids: [number] }, text: 'Plate', files } });
  await type(context, `device download-file '${number}' plate.png`);
  expect(Buffer.from(io.written.get('plate.png')!).equals(PNG)).toBe(true);
  expect((await filesOf(number)).map(({ name }) => name)).not.toContain('plate.png');
});

test('adds large and small files to a note on several devices, each stored once', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(5_000_000, 'y')]);
  const files = [
    fileValue({ name: 'wide.png', mediaType: 'image/png', bytes: large }),
    fileValue({ name: 'sketch.txt', mediaType: 'text/plain', bytes: Buffer.from('sketch') }),
  ];
  const args = { devices: { ids: numbers }, text: 'Replaced the seal', files };
  const { outcome } = await invoke(context, { id: 'device.add-note', args });
  expect(outcome.message).toMatchObject({ values: { count: numbers.length } });
  const notes = await Promise.all(
    numbers.map(async (device) => {
      const { deviceNotes } = await context.api(DeviceNoteService).list({ selection: { device, search: 'seal' } });
      return deviceNotes.map((note) => note.files);
    }),
  );
  const [[identifiers = []] = []] = notes;
  expect(identifiers).toHaveLength(2);
  expect(notes).toEqual(numbers.map(() => [identifiers]));
  await type(context, `device download-file '${numbers[2]}' wide.png`);
  expect(Buffer.from(io.written.get('wide.png')!).equals(large)).toBe(true);
});

test('adds no note if the upload of a file is canceled', async () => {
  const [number] = numbers as [string];
  const upload = () => Promise.reject(new DOMException('Canceled', 'AbortError'));
  const canceling = { ...context, host: { ...context.host, files: { ...context.host.files!, upload } } };
  const files = [fileValue({ name: 'video.mp4', mediaType: 'video/mp4', bytes: Buffer.alloc(5_000_000) })];
  const args = { devices: { ids: [number] }, text: 'Never', files };
  await expect(invoke(canceling, { id: 'device.add-note', args })).rejects.toMatchObject({ name: 'AbortError' });
  const selection = { device: number, search: 'Never' };
  expect((await context.api(DeviceNoteService).list({ selection })).deviceNotes).toEqual([]);
});

test('files of a note need the permission to upload, and are at most ten', async () => {
  const [number] = numbers as [string];
  const file = fileValue({ name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('a') });
  const add = (caller: Context, count: number) => {
    const args = { devices: { ids: [number] }, text: 'x', files: Array.from({ length: count }, () => file) };
    return invoke(caller, { id: 'device.add-note', args });
  };
  await expect(add(context, 11)).rejects.toMatchObject({ userMessage: { key: 'core:validation.atMost' } });
  const abilities = new Set([...context.actor.abilities].filter((ability) => ability !== 'FILES_UPLOAD'));
  const withoutUpload = { ...context, actor: { ...context.actor, abilities } };
  await expect(add(withoutUpload, 1)).rejects.toMatchObject({ userMessage: { key: 'core:unavailable.ability' } });
});

test('process points and tags have files too', async () => {
  const file = fileValue({ name: 'plan.txt', mediaType: 'text/plain', bytes: Buffer.from('plan') });
  const { outcome } = await type(context, 'process-point create Gauge');
  const processPoints = { ids: [outcome.results![0]!.id] };
  const point = await invoke(context, { id: 'process-point.attach-file', args: { processPoints, file } });
  await type(context, 'process-point download-file Gauge plan.txt');
  expect(Buffer.from(io.written.get('plan.txt')!).toString()).toBe('plan');
  await undo(context, point);
  await expect(type(context, 'process-point download-file Gauge plan.txt')).rejects.toMatchObject({
    userMessage: { key: 'common:files.none' },
  });
  await type(context, 'tag create Filed');
  await invoke(context, { id: 'tag.attach-file', args: { tags: { query: 'Filed' }, file } });
  await expect(type(context, 'tag download-file Filed other.txt')).rejects.toMatchObject({
    userMessage: { key: 'common:files.none' },
  });
});

test('a required firmware is downloaded and cleared', async () => {
  const { devices } = await context.api(DeviceService).list({ pagination: { size: 1000 } });
  const device = devices.find(({ requiredDeviceFirmwareIdentifier: required }) => required !== undefined)!;
  await type(context, `device download-firmware '${device.number}'`);
  const saved = io.written.get(`${device.requiredDeviceFirmwareIdentifier}.bin`)!;
  expect(Buffer.from(saved).subarray(0, 4).toString()).toBe('QDFW');
  const plan = await planLine(context, `device clear-firmware '${device.number}'`);
  const before = device.requiredDeviceFirmwareIdentifier;
  expect(plan).toMatchObject({ reversible: false, changes: [{ before }] });
  await type(context, `device clear-firmware '${device.number}'`);
  await expect(type(context, `device download-firmware '${device.number}'`)).rejects.toMatchObject({
    userMessage: { key: 'device:validation.noFirmware' },
  });
});

test('never sends the token to another server', async () => {
  const { fetch } = context.host.files!;
  await expect(fetch('https://elsewhere.example/files/a/b', context.signal)).rejects.toMatchObject({
    userMessage: { key: 'common:files.otherServer' },
  });
});
