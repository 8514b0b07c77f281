import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { Sandbox } from '#server/parsing/sandbox.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const parsers = () => t.as('administrator').client(ModemMessageBodyParserService);

const LEVEL = 'meta:\n  id: level\n  endian: be\nseq:\n  - id: level\n    type: u2\n';

let count = 0;
const upload = (more: object = {}) => parsers().upload({ name: `Level ${(count += 1)}`, contentKsy: LEVEL, ...more });

const requiredValue = { kind: { case: 'numberValue', value: 1 } };

describe('an uploaded parser', () => {
  test('is returned, listed, and recorded', async () => {
    const dataFields = [
      { field: 'level', displayName: 'Level', priority: 3 },
      { field: '$.raw[0].x', optional: true },
    ];
    const created = await upload({ dataFields });
    expect(created).toMatchObject({
      contentKsy: LEVEL,
      identifier: expect.stringMatching(/^parser-[0-9a-f]{20}$/),
      organization: 'northwind',
      organizationDisplayName: 'Northwind Energy',
      dataFields: [
        { field: 'level', displayName: 'Level', type: 2, optional: false, parserName: created.name },
        { field: '$.raw[0].x', type: 2, optional: true },
      ],
    });
    const { parsers: listedParsers } = await parsers().list({ selection: { identifiers: [created.identifier] } });
    expect(listedParsers).toEqual([created]);
    const [event] = await listEvents(EventType.MESSAGE_BODY_PARSER_CREATED);
    expect(event?.event.value).toMatchObject({ created: { identifier: created.identifier, contentKsy: LEVEL } });
  });

  test("is rejected with the line of the error if it doesn't compile", async () => {
    await expect(upload({ contentKsy: `${LEVEL}  - id: more\n    type: nope\n` })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "Line 8: Unable to find type 'nope', searching from level (seq/1/type).",
    });
  });

  test.each([
    ['no name', { name: ' ' }, 'A parser needs a name.'],
    ['a long name', { name: 'x'.repeat(201) }, 'The name of a parser can have at most 200 characters, not 201.'],
    ['a field without a path', { dataFields: [{ field: ' ' }] }, 'The path of a field is empty.'],
    [
      'an unsupported path',
      { dataFields: [{ field: 'a[?(@.b)]' }] },
      'The path of a field "a[?(@.b)]" isn\'t supported.',
    ],
    ['a field twice', { dataFields: [{ field: 'a' }, { field: ' a' }] }, 'The field "a" is listed twice.'],
    [
      'too many fields',
      { dataFields: Array.from({ length: 201 }, (_, index) => ({ field: `f${index}` })) },
      'at most 200 fields',
    ],
    [
      'a metadata field twice',
      { metadataFields: { messageMetadataFields: ['a', '$.a'] } },
      'The message metadata field "$.a" is listed twice.',
    ],
    [
      'required metadata twice',
      { metadataFields: { requireMessageMetadata: { a: requiredValue, "$['a']": requiredValue } } },
      'The required metadata field "$[\'a\']" is listed twice.',
    ],
    ['half a location', { metadataFields: { locationFields: { latitude: 'lat' } } }, 'A location needs both'],
    [
      'an unsupported measured-at path',
      { metadataFields: { measuredAtField: { case: 'measuredAtTimeField', value: 'a b' } } },
      'The measured-at field "a b" isn\'t supported.',
    ],
  ])('is rejected with %s', async (_, more, sentence) => {
    await expect(upload(more)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(sentence),
    });
  });

  test('has a unique name', async () => {
    const { name, identifier } = await upload();
    await expect(upload({ name })).rejects.toMatchObject({ code: Code.AlreadyExists });
    const other = await upload();
    await expect(parsers().rename({ identifier: other.identifier, name })).rejects.toMatchObject({
      code: Code.AlreadyExists,
    });
    await expect(parsers().rename({ identifier, name })).resolves.toMatchObject({ name });
  });

  test('is updated partially, with one event', async () => {
    const { identifier } = await upload({
      dataFields: [{ field: 'level' }, { field: 'old' }],
      metadataFields: { messageMetadataFields: ['a', 'b'], locationFields: { latitude: 'lat', longitude: 'lon' } },
    });
    const contentKsy = `${LEVEL}  - {id: more, type: u1}\n`;
    const updatedParser = await parsers().updateUploaded({
      identifier,
      contentKsy,
      removeDataFields: ['old'],
      addDataFields: [{ field: 'more' }],
      metadataFields: {
        addMessageMetadataFields: ['c', '$.a'],
        removeMessageMetadataFields: ['$.b'],
        updateLocationFields: { latitude: '', longitude: '' },
        measuredAtField: { case: 'measuredAtOffsetField', value: 'age' },
        addRequireMessageMetadata: { fPort: { kind: { case: 'numberValue', value: 2 } } },
      },
    });
    expect(updatedParser).toMatchObject({
      contentKsy,
      dataFields: [{ field: 'level' }, { field: 'more' }],
      metadataFields: {
        messageMetadataFields: ['a', 'c'],
        measuredAtField: { case: 'measuredAtOffsetField', value: 'age' },
      },
    });
    expect(updatedParser.metadataFields?.locationFields).toBeUndefined();
    expect(Object.keys(updatedParser.metadataFields?.requireMessageMetadata ?? {})).toEqual(['fPort']);
    expect(Object.keys(updatedParser.requireMessageMetadata)).toEqual(['fPort']);
    const [event] = await listEvents(EventType.MESSAGE_BODY_PARSER_UPDATED);
    expect(event).toMatchObject({
      description: `Parser "${updatedParser.name}" was updated: definition, fields, metadata fields.`,
      event: { value: { contentKsy, updatedContentKsy: { updated: true, value: contentKsy } } },
    });
    const update = await parsers().updateUploaded({
      identifier,
      metadataFields: {
        measuredAtField: { case: 'measuredAtTimeField', value: '' },
        removeRequireMessageMetadata: ['fPort'],
        replaceMessageMetadataFields: ['z'],
      },
      replaceDataFields: [{ field: 'level', displayName: 'Height' }],
    });
    expect(update.metadataFields).toMatchObject({ messageMetadataFields: ['z'], requireMessageMetadata: {} });
    expect(update.metadataFields?.measuredAtField.case).toBeUndefined();
    expect(update.dataFields.map(({ field, identifier: id }) => [field, id])).toEqual([
      ['level', updatedParser.dataFields[0]?.identifier],
    ]);
  });

  test('has at most 200 metadata fields of each kind, even after several updates', async () => {
    const { identifier } = await upload();
    const paths = (count: number, first: number) => Array.from({ length: count }, (_, index) => `f${first + index}`);
    const update = (metadataFields: object) => parsers().updateUploaded({ identifier, metadataFields });
    const add = (fields: readonly string[]) =>
      update({ addMessageMetadataFields: fields, addModemMetadataFields: fields });
    await add(paths(150, 0));
    await add(paths(50, 150));
    await expect(add(paths(1, 200))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'A parser can have at most 200 message metadata fields; this would make it 201.',
    });
    const requiredMetadata = (count: number, first: number) => ({
      addRequireMessageMetadata: Object.fromEntries(
        paths(count, first).map((path) => [path, { kind: { case: 'numberValue', value: 1 } }]),
      ),
    });
    for (const first of [0, 100]) await update(requiredMetadata(100, first));
    await expect(update(requiredMetadata(1, 200))).rejects.toMatchObject({
      rawMessage: 'A parser can have at most 200 required metadata fields; this would make it 201.',
    });
  });

  test("keeps its definition if the new one doesn't compile", async () => {
    const before = await upload();
    await expect(
      parsers().updateUploaded({ identifier: before.identifier, name: 'X', contentKsy: 'seq: 1' }),
    ).rejects.toMatchObject({ code: Code.InvalidArgument });
    const { parsers: listed } = await parsers().list({ selection: { identifiers: [before.identifier] } });
    expect(listed).toEqual([before]);
  });
});

const CHILD = 'northwind-offshore';

describe('a child organization', () => {
  test('is charged to the root of its tree', async () => {
    const parse = vi.spyOn(Sandbox.prototype, 'parse');
    const organization = 'northwind-permian';
    await parsers().test({
      organization,
      parser: { case: 'contentKsy', value: LEVEL },
      data: { case: 'parseBytes', value: { bytes: Uint8Array.of(1, 2) } },
    });
    expect(parse.mock.calls).toMatchObject([[{ account: 'northwind', realm: expect.stringContaining(organization) }]]);
  });

  const canSee = async (organization: string, identifier: string) =>
    (await parsers().list({ organization, selection: { identifiers: [identifier] } })).parsers.length === 1;

  test('sees the parsers that are available to it, without the others they are available to', async () => {
    const { identifier, name } = await upload();
    expect(await canSee(CHILD, identifier)).toBe(false);
    await parsers().makeAvailableToChildOrganization({ identifier, availableTo: [CHILD] });
    expect(await canSee(CHILD, identifier)).toBe(true);
    const { parsers: inheritedParsers } = await parsers().list({
      organization: CHILD,
      selection: { identifiers: [identifier] },
    });
    expect(inheritedParsers[0]).toMatchObject({ organization: 'northwind', name });
    expect(inheritedParsers[0]?.availableToChildOrganizations).toBeUndefined();
    expect((await parsers().list({ organization: CHILD, selection: { onlyOwnedParsers: true } })).parsers).toEqual([]);
    await parsers().makeUnavailableToChildOrganization({ identifier, unavailableTo: [CHILD] });
    expect(await canSee(CHILD, identifier)).toBe(false);

    const all = await parsers().updateChildOrganizationAvailability({
      identifier,
      availableToChildOrganizations: { includeAll: true },
    });
    expect(all.availableToChildOrganizations?.childOrganizations).toMatchObject({
      includeAll: true,
      include: [],
      exclude: [],
    });
    expect(await canSee(CHILD, identifier)).toBe(true);
    const changedParser = await parsers().makeUnavailableToChildOrganization({ identifier, unavailableTo: [CHILD] });
    expect(changedParser.availableToChildOrganizations?.childOrganizations?.exclude).toEqual([CHILD]);
    expect(await canSee(CHILD, identifier)).toBe(false);
    await parsers().makeAvailableToChildOrganization({ identifier, availableTo: [CHILD] });
    expect(await canSee(CHILD, identifier)).toBe(true);
  });

  test('can test parsers that are available to it, but not change them', async () => {
    const { identifier } = await upload();
    const organization = CHILD;
    const change = () => parsers().rename({ organization, identifier, name: 'Mine' });
    await expect(change()).rejects.toMatchObject({ code: Code.NotFound });
    await parsers().updateChildOrganizationAvailability({
      identifier,
      availableToChildOrganizations: { include: [CHILD] },
    });
    await expect(change()).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining('belongs to northwind'),
    });
    await expect(parsers().delete({ organization, selection: { identifiers: [identifier] } })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    const tested = await parsers().test({
      organization,
      parser: { case: 'identifier', value: identifier },
      data: { case: 'parseBytes', value: { hex: '0001' } },
    });
    expect(tested.result).toEqual({ case: 'parsed', value: { level: 1 } });
  });

  test('must be below the owner', async () => {
    const { identifier } = await upload();
    for (const availableTo of [['nowhere'], ['northwind'], ['vestland-drilling']]) {
      await expect(parsers().makeAvailableToChildOrganization({ identifier, availableTo })).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
  });
});

describe('a list', () => {
  test('can be filtered by every criterion, in pages sorted by name', async () => {
    const { identifier, name } = await upload({
      name: 'Zebra finder',
      dataFields: [{ field: 'stripes', displayName: 'Stripe count' }],
    });
    await parsers().createSimple({
      parser: {
        name: 'Zebra simple',
        fields: [{ name: 'hooves', type: { case: 'integer', value: { sizeBytes: 1 } } }],
      },
    });
    const names = async (selection: object) =>
      (await parsers().list({ selection })).parsers.map((parser) => parser.name);
    expect(await names({ search: 'zebra' })).toEqual(['Zebra finder', 'Zebra simple']);
    expect(await names({ search: 'zebra stripe' })).toEqual([name]);
    expect(await names({ search: 'hooves' })).toEqual(['Zebra simple']);
    expect(await names({ search: identifier })).toEqual([name]);
    expect(await names({ search: 'zebra', onlySimple: true })).toEqual(['Zebra simple']);
    expect(await names({ search: 'zebra', onlyKsyFile: true })).toEqual([name]);
    expect(await names({ hasDataFields: ['stripes', 'none'] })).toEqual([name]);
    expect(await names({ search: 'zebra', ownerOrganizations: ['elsewhere'] })).toEqual([]);
    const page = await parsers().list({
      selection: { search: 'zebra' },
      pagination: { size: 1, page: 1 },
      excludeContent: true,
    });
    expect(page).toMatchObject({
      parsers: [{ name: 'Zebra simple', contentKsy: '' }],
      pagination: { total: 2 },
      request: { organization: 'northwind' },
    });
  });
});

describe('a deletion', () => {
  test('requires a selection', async () => {
    for (const selection of [undefined, {}, { search: ' ' }]) {
      await expect(parsers().delete({ selection })).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
  });

  test('deletes the selected parsers, each with an event', async () => {
    const [a, b, keptParser] = [await upload(), await upload(), await upload()];
    await parsers().delete({ selection: { identifiers: [a.identifier, b.identifier] } });
    const { parsers: left } = await parsers().list({
      selection: { identifiers: [a, b, keptParser].map(({ identifier }) => identifier) },
    });
    expect(left).toEqual([keptParser]);
    const events = await listEvents(EventType.MESSAGE_BODY_PARSER_DELETED);
    expect(
      events
        .slice(0, 2)
        .map(({ description }) => description)
        .toSorted(),
    ).toEqual([a, b].map(({ name }) => `Parser "${name}" was deleted.`).toSorted());
    await expect(parsers().delete({ selection: { identifiers: [a.identifier] } })).rejects.toMatchObject({
      code: Code.NotFound,
    });
  });
});

/** Lists events of a type, newest first. */
async function listEvents(type: EventType) {
  const { unbundledEvents } = await t
    .as('administrator')
    .client(EventService)
    .list({ selection: { events: { include: [type] } }, unbundledEvents: true });
  return unbundledEvents.flatMap((page) => page.unbundledEvents);
}
