import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { isRejection } from '#commands/model/errors.ts';
import { fileValue } from '#commands/model/files.ts';
import type { FilesHost, FileUpload, RowLines } from '#commands/model/host.ts';
import { failedResults } from '#commands/model/result.ts';
import { retryInvocation } from '#commands/run/run.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { DeviceNoteService } from '#proto/gen/hiber/device_note_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from '../entity.ts';
import { addNote } from './add.ts';
import { editNote } from './edit.ts';
import { notesTab } from './tab.ts';

let server: TestServer;
let numbers: string[];
beforeAll(async () => {
  server = await startTestServer();
  numbers = (await server.as('viewer').client(DeviceService).list({})).devices.map(({ number }) => number);
});
afterAll(() => server.close());

/** Returns the number of a device without notes. */
const newNumber = (): string => numbers.pop() ?? '';
const loadNotes = async (number: string) =>
  (
    await server
      .as('viewer')
      .client(DeviceNoteService)
      .list({ selection: { device: number } })
  ).deviceNotes;

/** Runs a line as in a terminal and returns what it prints. */
async function print(line: string): Promise<RowLines> {
  const printed: RowLines[] = [];
  const context = await contextAs(server, 'viewer');
  const output = { rows: (rows: RowLines) => void printed.push(rows) } as unknown as NonNullable<
    typeof context.host.output
  >;
  await type({ ...context, host: { ...context.host, output } }, line);
  return printed[0]!;
}

test('adds a note with all its fields to several devices, one call each', async () => {
  const operator = await contextAs(server, 'operator');
  const [first, second] = [newNumber(), newNumber()];
  const line = `device add-note '${first},${second}' 'Line 1' --guide Installation --step 'Step 2' --time '2026-01-31 20:00' --location '52.5, 6.25'`;
  const plan = await planLine(operator, line);
  expect(plan).toMatchObject({ count: 2, reversible: false, changes: [{ after: 'Line 1' }, { after: 'Line 1' }] });
  const { outcome, inverse } = await type(operator, line);
  expect(outcome).toMatchObject({ message: { key: 'device:done.add-note', values: { count: 2 } } });
  expect(inverse ?? []).toEqual([]);
  for (const number of [first, second]) {
    const [note, ...others] = await loadNotes(number);
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      message: 'Line 1',
      guide: 'Installation',
      step: 'Step 2',
      author: 'demo-operator',
      time: { textual: '2026-01-31T20:00:00Z' },
      location: { textual: '[52.5,6.25]' },
    });
  }
});

test('keeps the lines of a text', async () => {
  const number = newNumber();
  const args = { devices: { ids: [number] }, text: 'One\n\n  two\n' };
  await invoke(await contextAs(server, 'operator'), { id: addNote.id, args });
  expect(await loadNotes(number)).toMatchObject([{ message: 'One\n\n  two' }]);
});

test('checks a note before sending it', async () => {
  const operator = await contextAs(server, 'operator');
  const number = newNumber();
  const expectProblem = (line: string, key: string, param: string) =>
    expect(type(operator, line)).rejects.toMatchObject({ userMessage: { key }, param });
  await expectProblem(`device add-note '${number}' ' '`, 'core:validation.required', 'text');
  await expectProblem(`device add-note '${number}' x --step 1`, 'device:validation.stepGuide', 'guide');
  await expectProblem(`device edit-note '${number}' one --text x`, 'device:validation.noteNumber', 'note');
  await expectProblem(`device edit-note '${number}' 7 --text x`, 'device:validation.noNote', 'note');
  await expectProblem(`device edit-note '${number},${newNumber()}' 1 --text x`, 'core:validation.atMost', 'devices');
  expect(await loadNotes(number)).toEqual([]);
});

test('reports the devices whose note was rejected, and adds the others', async () => {
  const operator = await contextAs(server, 'operator');
  const [kept, gone] = [newNumber(), newNumber()];
  const items = await device.byIds(operator, [kept, gone]);
  const withGhost = items.map((item) =>
    item.modem.number === gone ? { ...item, modem: { ...item.modem, number: '0000 0000' } } : item,
  );
  const outcome = await addNote.run(
    { ...operator, stop: operator.signal },
    { devices: { items: withGhost }, text: 'Here' },
  );
  expect(failedResults(outcome).map(({ failure }) => failure && isRejection(failure))).toEqual([true]);
  expect(await loadNotes(kept)).toHaveLength(1);
});

test('uploads the files of a note as drafts, and a retry has their content', async () => {
  const operator = await contextAs(server, 'operator');
  const uploads: string[] = [];
  const files = {
    upload: async ({ organization, identifier, name, bytes, isDraft }: FileUpload) => {
      uploads.push(`${name} ${new TextDecoder().decode(bytes)} ${isDraft}`);
      const file = { identifier, name, content: { case: 'dataRaw' as const, value: bytes } };
      await server.as('operator').client(FileService).upload({ organization, file });
    },
  } as unknown as FilesHost;
  const context = { ...operator, host: { ...operator.host, files } };
  const number = newNumber();
  const photo = fileValue({ name: 'plate.jpg', mediaType: 'image/jpeg', bytes: new TextEncoder().encode('plate') });
  const args = { devices: { ids: [number] }, text: 'See the photo', files: [photo] };
  const rejects: typeof context.api = (service) =>
    service === (DeviceNoteService as unknown)
      ? ({ add: () => Promise.reject(new ConnectError('Not now.', Code.FailedPrecondition)) } as never)
      : context.api(service);
  const failed = await invoke({ ...context, api: rejects }, { id: addNote.id, args });
  expect(failedResults(failed.outcome)).toHaveLength(1);
  // The history has no content of files.
  expect(failed.invocation.args['files']).toEqual(['@plate.jpg']);
  await invoke(context, retryInvocation(addNote, failed)!);
  expect(uploads).toEqual(['plate.jpg plate true', 'plate.jpg plate true']);
  expect(await loadNotes(number)).toMatchObject([{ message: 'See the photo', files: [expect.any(String)] }]);
});

test('adds files to a note on a server that has no address for files', async () => {
  const operator = await contextAs(server, 'operator');
  const rejectWith = (code: Code) => ({ upload: () => Promise.reject(new ConnectError('No.', code)) });
  const add = (files: object, number: string) => {
    const photo = fileValue({ name: 'plate.jpg', mediaType: 'image/jpeg', bytes: new TextEncoder().encode('plate') });
    return invoke(
      { ...operator, host: { ...operator.host, files: files as FilesHost } },
      { id: addNote.id, args: { devices: { ids: [number] }, text: 'See the photo', files: [photo] } },
    );
  };
  const number = newNumber();
  await add(rejectWith(Code.NotFound), number);
  expect(await loadNotes(number)).toMatchObject([{ message: 'See the photo', files: [expect.any(String)] }]);
  const otherNumber = newNumber();
  await expect(add(rejectWith(Code.PermissionDenied), otherNumber)).rejects.toThrow('No.');
  expect(await loadNotes(otherNumber)).toEqual([]);
});

test('edits a note, and undo restores its text and extends its history', async () => {
  const operator = await contextAs(server, 'operator');
  const number = newNumber();
  await type(operator, `device add-note '${number}' 'Valve lose'`);
  const line = `device edit-note '${number}' 1 --text 'Valve loose'`;
  expect(await planLine(operator, line)).toMatchObject({
    reversible: true,
    changes: [{ before: 'Valve lose', after: 'Valve loose' }],
    notes: [{ key: 'device:plan.noteHistory' }],
  });
  const run = await type(operator, line);
  expect(await loadNotes(number)).toMatchObject([{ message: 'Valve loose', messageHistory: ['Valve lose'] }]);
  expect(await planLine(operator, line)).toMatchObject({ count: 0 });
  await undo(operator, run);
  expect(await loadNotes(number)).toMatchObject([
    { message: 'Valve lose', messageHistory: ['Valve lose', 'Valve loose'] },
  ]);
});

test('fills the form of an edit with the current text, and suggests notes and guides', async () => {
  const operator = await contextAs(server, 'operator');
  const number = newNumber();
  await type(operator, `device add-note '${number}' 'Current text' --guide Installation`);
  const items = await device.byIds(operator, [number]);
  expect(await editNote.initial?.(operator, { devices: { items }, note: '1' })).toEqual({
    values: { text: 'Current text' },
  });
  const focused = {
    ...operator,
    focus: { entity: 'device', active: number, target: { ids: [number] }, count: 1 },
  } as unknown as typeof operator;
  const suggest = async (param: unknown) =>
    (param as { suggest: (...args: unknown[]) => unknown }).suggest(focused, '');
  expect(await suggest(editNote.params['note'])).toEqual([{ value: '1', label: '1', detail: 'Current text' }]);
  expect(await suggest(addNote.params['guide'])).toEqual([{ value: 'Installation', label: 'Installation' }]);
});

test('requires the permission to write notes', async () => {
  const viewer = await contextAs(server, 'viewer');
  await expect(type(viewer, `device add-note '${newNumber()}' 'x'`)).rejects.toMatchObject({
    reason: { code: 'ability', missing: 'MODEMS_UPDATE_NOTES' },
  });
});

test('prints the notes that a search and a period match, in the chosen order', async () => {
  const operator = await contextAs(server, 'operator');
  const number = newNumber();
  for (const [text, options] of [
    ['Loose', "--time '2026-01-05'"],
    ['Tenth', "--guide Guide --step 10 --time '2026-01-01'"],
    ['Ninth', "--guide Guide --step 9 --time '2026-01-02'"],
  ] as const)
    await type(operator, `device add-note '${number}' ${text} ${options}`);
  const texts = async (line: string) => {
    const { rows, columns } = await print(line);
    const column = columns.find(({ id }) => id === 'text');
    return rows.map((row) => column?.value(row as never));
  };
  expect(await texts(`notes '${number}'`)).toEqual(['Ninth', 'Tenth', 'Loose']);
  expect(await texts(`notes '${number}' --sort newest`)).toEqual(['Loose', 'Ninth', 'Tenth']);
  expect(await texts(`notes '${number}' --sort oldest --limit 1`)).toEqual(['Tenth']);
  expect(await texts(`notes '${number}' guide --period '2026-01-02..2026-01-05'`)).toEqual(['Ninth']);
  const { json } = await print(`notes '${number}' loose`);
  expect(json).toMatchObject([{ noteId: '1', message: 'Loose', author: 'demo-operator' }]);
});

test('shows the authors by name to users who can see them, and files by name', async () => {
  const number = newNumber();
  const administrator = await contextAs(server, 'administrator');
  const upload = {
    name: 'plate.jpg',
    identifier: 'plate',
    content: { case: 'dataRaw' as const, value: new Uint8Array([1]) },
  };
  const selection = { modems: { include: [number] } };
  await server
    .as('administrator')
    .client(DeviceService)
    .update({ devices: [{ selection, addFiles: [upload] }] });
  await server
    .as('operator')
    .client(DeviceNoteService)
    .add({ device: number, notes: [{ message: 'Photo', files: ['plate'] }] });
  const [item] = await device.byIds(administrator, [number]);
  const [row] = await notesTab.load(administrator, item!);
  expect(notesTab.entry?.(row, item!)).toMatchObject({
    author: 'Anna Vermeer',
    files: [
      { name: 'plate.jpg', open: { id: 'device.download-file', args: { devices: { ids: [number] }, file: 'plate' } } },
    ],
    edit: { id: 'device.edit-note', args: { devices: { ids: [number] }, note: '1' } },
  });
  const stranger = {
    ...administrator,
    actor: { ...administrator.actor, abilities: new Set(['VIEW_DEVICES'] as const) },
  };
  const [strangersRow] = await notesTab.load(stranger, item!);
  expect(notesTab.entry?.(strangersRow, item!)).toMatchObject({
    author: { key: 'device:noteAuthor', values: { id: 'demo-operator' } },
  });
});
