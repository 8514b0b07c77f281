import type { MessageInitShape } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { fingerprint } from '#commands/kit/editing.ts';
import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { organization as organizationEntity } from '#commands/nouns/people/organization/entity.ts';
import { message } from '#commands/text/message.ts';
import type { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

import { parser } from './entity.ts';
import { availabilityOf, availabilityText, idOf, nameOf, type Availability, type ParserItem } from './item.ts';

type OrganizationItem = Parameters<typeof organizationEntity.id>[0];

const idsOf = (organizations: readonly OrganizationItem[] | undefined = []): readonly string[] =>
  organizations.map(organizationEntity.id);

const REQUIRES = 'MANAGE_PARSERS';

/** Rejects parsers of other organizations in the plan, before the server does. */
export function rejectInherited(_context: Context, items: readonly ParserItem[]): void {
  const inheritedParser = items.find(({ owned }) => !owned);
  if (inheritedParser === undefined) return;
  const { organization, organizationDisplayName: owner } = inheritedParser.parser;
  throw new CommandError(
    message('parser:validation.inherited', { name: nameOf(inheritedParser), owner: owner || organization }),
  );
}

/** True if an organization can use a parser. Exclusion overrides inclusion (contract: Filter.ChildOrganizations). */
function isAvailable(item: ParserItem, id: string): boolean {
  const { includeAll, include, exclude } = availabilityOf(item);
  return (includeAll || include.includes(id)) && !exclude.includes(id);
}

/** Returns the invocation that restores a parser's availability. */
function restore(item: ParserItem): Invocation {
  const { includeAll, include, exclude } = availabilityOf(item);
  return {
    id: 'parser.set-availability',
    args: { parsers: { ids: [idOf(item)] }, all: includeAll, include: [...include], exclude: [...exclude] },
  };
}

type Verb = 'make-available' | 'make-unavailable';

function changeCommand(verb: Verb) {
  return bulkAction({
    entity: parser,
    verb,
    requires: REQUIRES,
    params: { organizations: required(p.refs(() => organizationEntity)) },
    positional: ['organizations'],
    validate: rejectInherited,
    appliesTo: (item, { organizations }) =>
      idsOf(organizations).some((id) => isAvailable(item, id) !== (verb === 'make-available')),
    change: (item, { organizations }) => ({
      field: message('parser:fields.availability'),
      [verb === 'make-available' ? 'added' : 'removed']: organizations
        .filter(
          (organization) => isAvailable(item, organizationEntity.id(organization)) !== (verb === 'make-available'),
        )
        .map(organizationEntity.label),
    }),
    undo: (items) => items.map(restore),
    size: 1,
    call: async ({ api, organization, signal }, [item], { organizations }) => {
      const identifier = idOf(item!);
      const ids = [...idsOf(organizations)];
      const parsers = api(ModemMessageBodyParserService);
      await (verb === 'make-available'
        ? parsers.makeAvailableToChildOrganization({ organization, identifier, availableTo: ids }, { signal })
        : parsers.makeUnavailableToChildOrganization({ organization, identifier, unavailableTo: ids }, { signal }));
    },
  });
}

export const makeAvailable = changeCommand('make-available');
export const makeUnavailable = changeCommand('make-unavailable');

const ACCESS_PARAMS = {
  all: p.optionalFlag(),
  include: p.refs(() => organizationEntity),
  exclude: p.refs(() => organizationEntity),
};

interface AccessArgs {
  readonly all: boolean | undefined;
  readonly include: readonly OrganizationItem[] | undefined;
  readonly exclude: readonly OrganizationItem[] | undefined;
}

/** Returns the new availability. Omitted lists stay unchanged. */
function nextAvailability(item: ParserItem, { all, include, exclude }: AccessArgs): Availability {
  const before = availabilityOf(item);
  return {
    includeAll: all ?? before.includeAll,
    include: include ? [...idsOf(include)] : before.include,
    exclude: exclude ? [...idsOf(exclude)] : before.exclude,
  };
}

const fingerprintOf = ({ includeAll, include, exclude }: Availability): string =>
  [String(includeAll), fingerprint(include), fingerprint(exclude)].join();

/** Returns the known organization names, including those in the arguments. */
const namesWith = (item: ParserItem, { include = [], exclude = [] }: AccessArgs): OrganizationNames =>
  new Map([
    ...(item.organizations ?? []),
    ...[...include, ...exclude].map(
      (organizationItem) =>
        [organizationEntity.id(organizationItem), organizationEntity.label(organizationItem)] as const,
    ),
  ]);

/** Replaces which sub-organizations can use parsers. */
export const setAvailability = bulkAction({
  entity: parser,
  verb: 'set-availability',
  requires: REQUIRES,
  params: ACCESS_PARAMS,
  validate: rejectInherited,
  initial: ([first, ...others]) => {
    if (!first || others.length > 0) return { values: {} };
    const { includeAll, include, exclude } = availabilityOf(first);
    return { values: { all: includeAll, include, exclude } };
  },
  problems: (_context, { all, include, exclude }) =>
    all === undefined && include === undefined && exclude === undefined
      ? { all: message('core:validation.required') }
      : {},
  appliesTo: (item, args) => fingerprintOf(nextAvailability(item, args)) !== fingerprintOf(availabilityOf(item)),
  change: (item, args) => {
    const names = namesWith(item, args);
    return {
      field: message('parser:fields.availability'),
      before: availabilityText(availabilityOf(item), names),
      after: availabilityText(nextAvailability(item, args), names),
    };
  },
  undo: (items) => items.map(restore),
  size: 1,
  call: async ({ api, organization, signal }, [item], args) => {
    const availableToChildOrganizations: MessageInitShape<typeof Filter_ChildOrganizationsSchema> = nextAvailability(
      item!,
      args,
    );
    const request = { organization, identifier: idOf(item!), availableToChildOrganizations };
    await api(ModemMessageBodyParserService).updateChildOrganizationAvailability(request, { signal });
  },
});
