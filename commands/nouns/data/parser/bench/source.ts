import type { TestModemMessageBodyParserRequest } from '#proto/gen/hiber/parser_pb.ts';

/** The source to try: a definition, or a simple parser that the server generates a definition from. */
export type Source = Extract<
  TestModemMessageBodyParserRequest['parser'],
  { readonly case: 'contentKsy' | 'simpleParser' }
>;

export const definitionSource = (definition: string): Source => ({ case: 'contentKsy', value: definition });

/** True if both are the same definition, or the same simple parser object. */
export const isSameSource = (a: Source | undefined, b: Source | undefined): boolean =>
  a?.case === b?.case && a?.value === b?.value;
