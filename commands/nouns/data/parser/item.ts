import { organizationLinks, organizationText, type OrganizationNames } from '#commands/kit/organization-names.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { ModemMessageBodyParser } from '#proto/gen/hiber/parser_pb.ts';

/** A parser in lists and commands. Lists leave out the definition, which can be long. */
export interface ParserItem {
  readonly parser: ModemMessageBodyParser;
  /** True if the current organization owns the parser. Other organizations can use it, but not change it. */
  readonly owned: boolean;
  /** Names of organizations; see `kit/organization-names.ts`. */
  readonly organizations?: OrganizationNames;
}

export const idOf = ({ parser }: ParserItem): string => parser.identifier;

export const nameOf = ({ parser }: ParserItem): string => parser.name || parser.identifier;

/** Identifies a parser in an argument. Names need not be unique, because inherited parsers have their own. */
export const idArgument = (identifier: string): string => `#${identifier}`;

export const isSimple = ({ parser }: ParserItem): boolean => parser.simpleParser !== undefined;

export const kindOf = (item: ParserItem): Message =>
  message(isSimple(item) ? 'parser:kind.simple' : 'parser:kind.uploaded');

/** Returns the definition as Kaitai Struct. Undefined if it was not loaded. */
export const definitionOf = ({ parser }: ParserItem): string | undefined => parser.contentKsy || undefined;

/** The sub-organizations that can use a parser. Only its owner can see them. */
export type Availability = Pick<Filter_ChildOrganizations, 'includeAll' | 'include' | 'exclude'>;

export function availabilityOf({ parser }: ParserItem): Availability {
  return parser.availableToChildOrganizations?.childOrganizations ?? { includeAll: false, include: [], exclude: [] };
}

/** Returns links to the sub-organizations. None if the text says more than their names, or if a name isn't known. */
export function availabilityLinks(
  { includeAll, include, exclude }: Availability,
  organizations: OrganizationNames | undefined,
) {
  const ids = includeAll ? [] : include.filter((id) => !exclude.includes(id));
  const links = ids.flatMap((id) => organizationLinks(id, organizations));
  return links.length === ids.length ? links : [];
}

/** Names the sub-organizations: `All sub-organizations except Acme North`. Exclusion overrides inclusion. */
export function availabilityText(
  { includeAll, include, exclude }: Availability,
  organizations: OrganizationNames | undefined,
): Message | string {
  const names = (ids: readonly string[]): Message | string =>
    listMessage(ids.flatMap((id) => organizationText(id, organizations) ?? [])) ?? '';
  if (includeAll && exclude.length > 0) return message('parser:availability.allExcept', { except: names(exclude) });
  if (includeAll) return message('parser:labels.all');
  const availableIds = include.filter((id) => !exclude.includes(id));
  return availableIds.length > 0 ? names(availableIds) : message('parser:availability.none');
}
