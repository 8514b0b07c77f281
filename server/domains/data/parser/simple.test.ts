import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ModemMessageBodyParserService,
  SimpleModemMessageBodyParser_Endian as Endian,
} from '#proto/gen/hiber/parser_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const parsers = () => t.as('administrator').client(ModemMessageBodyParserService);

const LEVEL = 'meta:\n  id: level\n  endian: be\nseq:\n  - id: level\n    type: u2\n';

describe('a simple parser', () => {
  test('generates a working definition', async () => {
    const parser = {
      name: 'Tank 2000!',
      documentation: '*/ throw 1',
      defaultEndian: Endian.LITTLE_ENDIAN,
      fields: [
        { name: 'Header', type: { case: 'magic' as const, value: Uint8Array.of(1, 2) } },
        { name: 'Count', type: { case: 'integer' as const, value: { sizeBytes: 1 } } },
        {
          name: 'Level (mm)',
          documentation: 'above ground',
          type: { case: 'integer' as const, value: { sizeBytes: 2, signed: true } },
        },
        { name: 'big', type: { case: 'integer' as const, value: { sizeBytes: 2, endian: Endian.BIG_ENDIAN } } },
        { name: 'ratio', type: { case: 'float' as const, value: { sizeBytes: 4 } } },
        {
          name: 'sized',
          type: { case: 'bytes' as const, value: { size: { size: { case: 'fieldName' as const, value: 'COUNT' } } } },
        },
        { name: 'name', type: { case: 'string' as const, value: { size: { terminator: Uint8Array.of(0) } } } },
        { name: 'point', type: { case: 'customType' as const, value: 'Point' } },
        {
          name: 'rest',
          type: { case: 'bytes' as const, value: { size: { size: { case: 'endOfStream' as const, value: true } } } },
        },
      ],
      customTypes: [
        { name: 'point', fields: [{ name: 'x', type: { case: 'integer' as const, value: { sizeBytes: 2 } } }] },
      ],
    };
    const created = await parsers().createSimple({ parser });
    expect(created.name).toBe('Tank 2000!');
    expect(created.simpleParser?.fields).toHaveLength(9);
    const hex = '0102 02 FEFF 0102 0000C03F AABB 414200 0500 09';
    const { result } = await parsers().test({
      parser: { case: 'identifier', value: created.identifier },
      data: { case: 'parseBytes', value: { hex } },
    });
    expect(result).toEqual({
      case: 'parsed',
      value: {
        header: '0102',
        count: 2,
        level_mm: -2,
        big: 258,
        ratio: 1.5,
        sized: 'AABB',
        name: 'AB',
        point: { x: 5 },
        rest: '09',
      },
    });
    const updatedParser = await parsers().updateSimple({
      identifier: created.identifier,
      parser: { name: 'Tank', fields: [{ name: 'a', type: { case: 'integer', value: { sizeBytes: 4 } } }] },
    });
    expect(updatedParser).toMatchObject({
      name: 'Tank',
      contentKsy: expect.stringContaining('type: u4'),
      simpleParser: { name: 'Tank' },
    });
    await expect(parsers().updateUploaded({ identifier: created.identifier, contentKsy: LEVEL })).rejects.toMatchObject(
      { code: Code.FailedPrecondition },
    );
  });

  const integer = (sizeBytes: number) => ({ case: 'integer' as const, value: { sizeBytes } });
  test.each([
    [
      'a name without letters',
      { name: '123', fields: [] },
      'The parser needs a name with a letter from a to z; it has "123".',
    ],
    [
      'two fields with the same name',
      {
        name: 'a',
        fields: [
          { name: 'X', type: integer(1) },
          { name: 'x ', type: integer(1) },
        ],
      },
      'Two fields are named x.',
    ],
    [
      'an unsupported size',
      { name: 'a', fields: [{ name: 'x', type: integer(3) }] },
      'The field x can have 1, 2, 4 or 8 bytes, not 3.',
    ],
    ['no type', { name: 'a', fields: [{ name: 'x' }] }, 'The field x needs a type.'],
    [
      'no size',
      { name: 'a', fields: [{ name: 'x', type: { case: 'bytes' as const, value: {} } }] },
      'The field x needs a size',
    ],
    [
      'a size in a later field',
      {
        name: 'a',
        fields: [
          {
            name: 'x',
            type: { case: 'bytes' as const, value: { size: { size: { case: 'fieldName' as const, value: 'y' } } } },
          },
          { name: 'y', type: integer(1) },
        ],
      },
      "The size of the field x is in y, which isn't an integer field before it.",
    ],
    [
      'an unknown type',
      { name: 'a', fields: [{ name: 'x', type: { case: 'customType' as const, value: 'y' } }] },
      "The field x has the type y, which isn't among the custom types.",
    ],
    [
      'an unknown encoding',
      {
        name: 'a',
        fields: [
          {
            name: 'x',
            type: {
              case: 'string' as const,
              value: { encoding: 'EBCDIC', size: { size: { case: 'sizeBytes' as const, value: 1 } } },
            },
          },
        ],
      },
      'The encoding "EBCDIC" isn\'t supported.',
    ],
  ])('is rejected with %s', async (_, parser, sentence) => {
    await expect(parsers().createSimple({ parser })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(sentence),
    });
  });
});
