import { create } from '@bufbuild/protobuf';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';

import { parseSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import { SimpleModemMessageBodyParserSchema as ParserSchema } from '#proto/gen/hiber/parser_pb.ts';

import { mapSimple } from './fields/map.ts';
import { useParts } from './use-parts.ts';

const TEXTS = ['a:u1', 'b:str(4 utf-7)', 'p/:klingon', 'p/c:str(4 morse)'];

function problemsOf(failure: Parameters<ReturnType<typeof useParts>['problemsOf']>[0], encoding = '') {
  const parser = create(ParserSchema, { ...parseSimple(TEXTS), defaultTextEncoding: encoding });
  const { result } = renderHook(() => useParts(mapSimple(parser), ['a', 'b']));
  return result.current.problemsOf(failure, parser);
}

const unsupported = (encoding: string) => `The encoding "${encoding}" isn't supported. Use ASCII.`;

test.each([
  ['utf-7', { types: [], field: 1 }],
  ['klingon', { types: [0] }],
  ['morse', { types: [0], field: 0 }],
  ['rot13', { types: [] }],
])('shows that the encoding %s is unknown where it is', (encoding, part) => {
  const [problem] = problemsOf({ error: unsupported(encoding), line: 9 }, 'rot13');
  expect(problem).toMatchObject({ ...part, isEncoding: true });
  expect(problem?.message.values?.['text']).toBe(unsupported(encoding));
});

test('shows any other mistake of a definition at the parser', () => {
  expect(problemsOf({ error: 'That is wrong.', line: 2 })).toEqual([
    { types: [], message: { key: 'parser:validation.definition', values: { text: 'That is wrong.' } } },
  ]);
});

test('shows what a message lacks at its field', () => {
  expect(problemsOf({ error: 'b: no bytes are left', path: 'b', offset: 1 })).toMatchObject([{ types: [], field: 1 }]);
  expect(problemsOf({ error: 'Something else' })).toEqual([]);
  expect(problemsOf(undefined)).toEqual([]);
});
