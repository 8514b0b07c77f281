import { create } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import type { Listed } from '#commands/run/paging.ts';
import {
  ModemMessageBodyParserSelectionSchema,
  ModemMessageBodyParserService,
  type ModemMessageBodyParser,
  type ModemMessageBodyParserSelection,
} from '#proto/gen/hiber/parser_pb.ts';

import type { ParserItem } from './item.ts';

export type ParserSelection = ModemMessageBodyParserSelection;

export const selectAllParsers = (): ParserSelection => create(ModemMessageBodyParserSelectionSchema);

export const selectParsers = (identifiers: readonly string[]): ParserSelection =>
  create(ModemMessageBodyParserSelectionSchema, { identifiers: [...identifiers] });

export const searchParsers = (search: string): ParserSelection =>
  create(ModemMessageBodyParserSelectionSchema, search ? { search } : {});

/** Lists parsers without their definitions, which can be long. {@link loadDefinition} loads one. */
export function loadParsers(context: Context, selection: ParserSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<ParserItem>> => {
    const request = { organization: context.organization.id, selection, pagination, excludeContent: true };
    const response = await context.api(ModemMessageBodyParserService).list(request, { signal: context.signal });
    const toItem = (parser: ModemMessageBodyParser): ParserItem => ({
      parser,
      owned: parser.organization === context.organization.id,
    });
    return { items: response.parsers.map(toItem), pagination: response.pagination };
  };
}

/** Loads the definition of a parser, as Kaitai Struct. */
export async function loadDefinition(
  { api, organization, signal }: Context,
  identifier: string,
): Promise<string | undefined> {
  const request = { organization: organization.id, selection: { identifiers: [identifier] } };
  const { parsers } = await api(ModemMessageBodyParserService).list(request, { signal });
  return parsers[0]?.contentKsy;
}
