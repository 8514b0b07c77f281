import { Code } from '@connectrpc/connect';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type AddDeviceNote,
  DeviceNoteSelection_Sort as Sort,
  DeviceNoteService,
} from '#proto/gen/hiber/device_note_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { TokenService, Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { device } from '#server/db/schema/device.ts';
import type { PersonKind } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { hiddenLifecycles } from '#server/wire/lifecycles.ts';

const ORGANIZATION = 'northwind';

let t: TestServer;
let numbers: string[];
/** A device without notes. */
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  numbers = (await t.as('viewer').client(DeviceService).list({})).devices.map((item) => item.number);
});
beforeEach(() => {
  number = numbers.pop() ?? '';
});
afterAll(() => t.close());

const notes = (kind: PersonKind = 'operator') => t.as(kind).client(DeviceNoteService);

type NewNote = Partial<Omit<AddDeviceNote, '$typeName' | 'time' | 'location'>> & { readonly at?: string };

/** Adds notes with texts as times. */
async function add(newNotes: readonly NewNote[], kind?: PersonKind) {
  const withTimes = newNotes.map(({ at, ...note }) => ({ ...note, ...(at ? { time: { textual: at } } : {}) }));
  return (await notes(kind).add({ device: number, notes: withTimes })).deviceNote;
}

async function listTexts(sort: Sort, search?: string) {
  const selection = { device: number, ...(search === undefined ? {} : { search }) };
  return (await notes('viewer').list({ selection, sort })).deviceNotes.map(({ message }) => message);
}

describe('adding notes', () => {
  test('numbers them for each device, and defaults to the caller and the current time', async () => {
    const before = Date.now();
    const added = await add([{ message: ' Bracket loose\r\n\r\n  left side ' }, { message: 'Fixed' }]);
    expect(added).toMatchObject([
      { device: number, noteId: 1n, message: 'Bracket loose\n\n  left side', author: 'demo-operator', files: [] },
      { device: number, noteId: 2n, message: 'Fixed', messageHistory: [] },
    ]);
    expect(Number(added[0]?.time?.timestamp?.seconds)).toBeGreaterThanOrEqual(Math.floor(before / 1000));
    expect(added[0]).not.toHaveProperty('guide');
    expect(added[0]?.lastUpdatedAt).toBeUndefined();
    number = numbers.pop() ?? '';
    expect(await add([{ message: 'Other device' }], 'administrator')).toMatchObject([
      { noteId: 1n, author: 'demo-administrator' },
    ]);
  });

  test('keeps the time, guide, step, location, and files', async () => {
    const upload = {
      name: 'plate.jpg',
      identifier: 'plate',
      content: { case: 'dataRaw' as const, value: new Uint8Array([1]) },
    };
    const other = numbers.at(-1) ?? '';
    const selection = { modems: { include: [other] } };
    await t
      .as('administrator')
      .client(DeviceService)
      .update({ devices: [{ selection, addFiles: [upload] }] });
    const { deviceNote } = await notes().add({
      device: number.toLowerCase().replace(' ', ''),
      notes: [
        {
          time: { textual: '2026-01-02T03:04:05Z' },
          guide: 'Installation',
          step: '3',
          files: ['plate', 'plate'],
          location: { latitude: 52.5, longitude: 6.25 },
        },
      ],
    });
    expect(deviceNote).toMatchObject([
      { guide: 'Installation', step: '3', files: ['plate'], location: { textual: '[52.5,6.25]' }, message: '' },
    ]);
    expect(deviceNote[0]?.time?.textual).toBe('2026-01-02T03:04:05Z');
    expect((await notes('viewer').list({ selection: { device: number } })).deviceNotes).toEqual(deviceNote);
    // A note keeps a file that is no longer attached to a device.
    await t
      .as('administrator')
      .client(DeviceService)
      .update({ devices: [{ selection, deleteFiles: ['plate'] }] });
    expect((await notes('viewer').list({ selection: { device: number } })).deviceNotes).toEqual(deviceNote);
    expect(await listTexts(Sort.OLDEST_FIRST, 'PLAT')).toEqual(['']);
  });

  test('numbers concurrent notes without a gap or a collision', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => add([{ message: `${index}a` }, { message: `${index}b` }])),
    );
    const { deviceNotes } = await notes().list({ selection: { device: number } });
    expect(deviceNotes.map(({ noteId }) => Number(noteId)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 1),
    );
  });

  test('adds none if one is invalid', async () => {
    const rejections: [newNotes: readonly NewNote[], text: string][] = [
      [[], 'at least one note'],
      [Array.from({ length: 101 }, () => ({ message: 'x' })), 'at most 100 notes, not 101'],
      [[{ message: 'good' }, { message: ' \n ' }], 'needs a text'],
      [[{ message: 'x', at: 'soon' }], 'notes[0].time'],
      [[{ message: 'x', guide: 'a'.repeat(201) }], 'The name of a guide can have at most 200 characters'],
      [[{ message: 'x', step: 'a\u200bb' }], 'The name of a step contains an invisible character'],
      [[{ message: 'x'.repeat(20_001) }], 'notes[0].message'],
    ];
    for (const [newNotes, text] of rejections) {
      await expect(add(newNotes)).rejects.toMatchObject({
        code: Code.InvalidArgument,
        message: expect.stringContaining(text),
      });
    }
    await expect(add([{ message: 'good' }, { files: ['none', 'nor'] }])).rejects.toMatchObject({
      code: Code.NotFound,
      message: expect.stringContaining('no files "none" and "nor"'),
    });
    expect(await listTexts(Sort.OLDEST_FIRST)).toEqual([]);
  });

  test("signs a token's notes with its owner", async () => {
    const { token } = await t.as('developer').client(TokenService).create({ name: 'Notes', type: Token_Type.PERSONAL });
    const api = t.with(token).client(DeviceNoteService);
    const { deviceNote } = await api.add({ device: number, notes: [{ message: 'By a script' }] });
    expect(deviceNote).toMatchObject([{ author: 'demo-developer' }]);
  });
});

describe('listing notes', () => {
  test('sorts by time, and by the last edit', async () => {
    await add([
      { message: 'second', at: '2026-02-02T00:00:00Z' },
      { message: 'first', at: '2026-01-01T00:00:00Z' },
      { message: 'third', at: '2026-03-03T00:00:00Z' },
      { message: 'also third', at: '2026-03-03T00:00:00Z' },
    ]);
    expect(await listTexts(Sort.OLDEST_FIRST)).toEqual(['first', 'second', 'third', 'also third']);
    expect(await listTexts(Sort.NEWEST_FIRST)).toEqual(['also third', 'third', 'second', 'first']);
    await notes().update({ device: number, noteId: 1n, update: { updatedMessage: 'second!' } });
    t.advance(1000);
    await notes().update({ device: number, noteId: 2n, update: { updatedMessage: 'first!' } });
    expect(await listTexts(Sort.LAST_UPDATED)).toEqual(['first!', 'second!', 'also third', 'third']);
  });

  test('keeps the notes of a guide together in step order', async () => {
    const guide = 'Installation';
    await add([
      { message: 'before', at: '2026-01-01T00:00:00Z' },
      { message: 'step 10', guide, step: 'Step 10', at: '2026-01-02T00:00:00Z' },
      { message: 'step 9', guide, step: 'Step 9', at: '2026-01-06T00:00:00Z' },
      { message: 'again', guide, step: 'Step 9', at: '2026-01-07T00:00:00Z' },
      { message: 'no step', guide, at: '2026-01-08T00:00:00Z' },
      { message: 'between', at: '2026-01-04T00:00:00Z' },
      { message: 'replacement', guide: 'Replacement', step: '1', at: '2026-01-05T00:00:00Z' },
      { message: 'at the same time', at: '2026-01-02T00:00:00Z' },
      { message: 'after', step: 'without a guide', at: '2026-01-09T00:00:00Z' },
    ]);
    const order = [
      'before',
      'no step',
      'step 9',
      'again',
      'step 10',
      'at the same time',
      'between',
      'replacement',
      'after',
    ];
    expect(await listTexts(Sort.GUIDE_STEPS)).toEqual(order);
    const pages = await Promise.all(
      [0, 1, 2].map((page) =>
        notes('viewer').list({ selection: { device: number }, sort: Sort.GUIDE_STEPS, pagination: { size: 4, page } }),
      ),
    );
    expect(pages.flatMap(({ deviceNotes }) => deviceNotes.map(({ message }) => message))).toEqual(order);
    expect(pages[2]?.pagination).toMatchObject({ total: 9, totalPages: 3, page: 2 });
    expect(pages[2]?.request).toMatchObject({ organization: ORGANIZATION, pagination: { size: 4, page: 2 } });
  });

  test('searches the text, the author, the guide, and the step for every word', async () => {
    await add([{ message: '100% done', guide: 'Installation', step: 'Antenna' }, { message: '100 bar' }]);
    await add([{ message: 'Checked' }], 'administrator');
    const oldest = Sort.OLDEST_FIRST;
    expect(await listTexts(oldest, '100%')).toEqual(['100% done']);
    expect(await listTexts(oldest, 'antenna DONE install')).toEqual(['100% done']);
    expect(await listTexts(oldest, 'demo-admin')).toEqual(['Checked']);
    expect(await listTexts(oldest, 'done bar')).toEqual([]);
    expect(await listTexts(oldest, ' ')).toEqual(['100% done', '100 bar', 'Checked']);
  });

  test('selects by time, including both bounds', async () => {
    await add(['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => ({ message: day, at: `${day}T00:00:00Z` })));
    const timeRange = { start: { textual: '2026-01-02T00:00:00Z' }, end: { textual: '2026-01-03T00:00:00Z' } };
    const { deviceNotes } = await notes().list({ selection: { device: number, timeRange } });
    expect(deviceNotes.map(({ message }) => message)).toEqual(['2026-01-02', '2026-01-03']);
  });

  test('requires a device, and has at most 100 notes on a page', async () => {
    for (const selection of [undefined, {}, { device: '' }]) {
      await expect(notes().list(selection ? { selection } : {})).rejects.toMatchObject({
        code: Code.InvalidArgument,
        message: expect.stringContaining('selection.device is missing'),
      });
    }
    const { request } = await notes().list({ selection: { device: number }, pagination: { size: 1000 } });
    expect(request?.pagination?.size).toBe(100);
  });
});

describe('editing a note', () => {
  test('keeps every earlier text', async () => {
    await add([{ message: 'one', guide: 'Installation' }, { message: 'other' }]);
    const edit = async (text: string, kind?: PersonKind) =>
      (await notes(kind).update({ device: number, noteId: 1n, update: { updatedMessage: text } })).updatedDeviceNote;
    const unchanged = await edit(' one ');
    expect(unchanged).toMatchObject({ message: 'one', messageHistory: [] });
    expect(unchanged?.lastUpdatedAt).toBeUndefined();
    await edit('two');
    const edited = await edit('three', 'administrator');
    expect(edited).toMatchObject({ message: 'three', messageHistory: ['one', 'two'], author: 'demo-operator' });
    expect(edited?.lastUpdatedAt).toBeDefined();
    const { deviceNotes } = await notes('viewer').list({ selection: { device: number } });
    expect(deviceNotes[0]).toEqual(edited);
    expect(deviceNotes[1]).toMatchObject({ message: 'other', messageHistory: [] });
    expect(await listTexts(Sort.OLDEST_FIRST, 'two')).toEqual([]);
  });

  test('loses no text when several people edit at once', async () => {
    await add([{ message: 'start' }]);
    const texts = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      texts.map((text) => notes().update({ device: number, noteId: 1n, update: { updatedMessage: text } })),
    );
    const [note] = (await notes().list({ selection: { device: number } })).deviceNotes;
    expect(new Set([...(note?.messageHistory ?? []), note?.message])).toEqual(new Set([...texts, 'start']));
    expect(note?.messageHistory).toHaveLength(texts.length);
  });

  test('rejects an empty text, an unknown note, and a history that is too long', async () => {
    await add([{ message: 'x'.repeat(20_000) }]);
    const edit = (text: string, noteId = 1n) =>
      notes().update({ device: number, noteId, update: { updatedMessage: text } });
    await expect(edit(' ')).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(notes().update({ device: number, noteId: 1n })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(edit('x', 2n)).rejects.toMatchObject({
      code: Code.NotFound,
      message: expect.stringContaining(`Device ${number} has no note 2.`),
    });
    for (const letter of ['a', 'b', 'c', 'd']) await edit(letter.repeat(20_000));
    await expect(edit('e')).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      message: expect.stringContaining('Add a new note instead.'),
    });
  });
});

test("doesn't find devices that the caller can't see", async () => {
  await add([{ message: 'Secret' }]);
  const where = and(eq(device.organization, ORGANIZATION), eq(device.number, number));
  await t.app.db.orm.update(device).set({ lifecycle: hiddenLifecycles[0] }).where(where);
  const [foreign] = await t.app.db.orm
    .select({ number: device.number })
    .from(device)
    .where(sql`${device.organization} <> ${ORGANIZATION}`)
    .limit(1);
  for (const hidden of [number, foreign?.number ?? '', '0000 0000']) {
    const error = { code: Code.NotFound, message: expect.stringContaining(`${ORGANIZATION} has no device ${hidden}.`) };
    await expect(notes().list({ selection: { device: hidden } })).rejects.toMatchObject(error);
    await expect(notes().add({ device: hidden, notes: [{ message: 'x' }] })).rejects.toMatchObject(error);
    const edit = { device: hidden, noteId: 1n, update: { updatedMessage: 'x' } };
    await expect(notes().update(edit)).rejects.toMatchObject(error);
  }
  await expect(notes().list({ selection: { device: 'no number' } })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});
