import { create } from '@bufbuild/protobuf';

import { loadOrganizationNames } from '#commands/kit/organization-names.ts';
import type { Context } from '#commands/model/context.ts';
import type { ListResponse } from '#commands/run/paging.ts';
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

/** Returns a function that lists parsers, with or without their definitions, which can be long. */
function load(excludeContent: boolean) {
  return (context: Context, selection: ParserSelection) =>
    async (pagination: { page?: number; size?: number }): Promise<ListResponse<ParserItem>> => {
      const request = { organization: context.organization.id, selection, pagination, excludeContent };
      const response = await context.api(ModemMessageBodyParserService).list(request, { signal: context.signal });
      return { items: await addNames(context, response.parsers), pagination: response.pagination };
    };
}

async function addNames(context: Context, parsers: readonly ModemMessageBodyParser[]): Promise<ParserItem[]> {
  const available = parsers.flatMap(({ availableToChildOrganizations: { childOrganizations } = {} }) => [
    ...(childOrganizations?.include ?? []),
    ...(childOrganizations?.exclude ?? []),
  ]);
  const organizations = await loadOrganizationNames(context, available);
  return parsers.map((parser) => ({
    parser,
    owned: parser.organization === context.organization.id,
    organizations,
  }));
}

export const loadParsers = load(true);

export const loadWithDefinitions = load(false);

/** Loads the definition of a parser, as Kaitai Struct. */
export async function loadDefinition(
  { api, signal }: Pick<Context, 'api' | 'signal'>,
  organization: string,
  identifier: string,
): Promise<string> {
  const request = { organization, selection: { identifiers: [identifier] } };
  const { parsers } = await api(ModemMessageBodyParserService).list(request, { signal });
  return parsers[0]?.contentKsy ?? '';
}
