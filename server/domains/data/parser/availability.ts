import { and, ne, sql } from 'drizzle-orm';

import type { ModemMessageBodyParser } from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, summarizeList } from '#server/wire/errors.ts';

import type { ParserRow } from './model/fields.ts';
import { presentAvailability } from './model/present.ts';
import { changeParser } from './write.ts';

/** The child organizations that a parser is available to, as the contract's Filter.ChildOrganizations. */
interface Availability {
  readonly includeAll: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Changes the availability of a parser.
 *
 * @param organizationIds the organizations that the request names
 */
export function changeAvailability(
  app: App,
  caller: Scope,
  identifier: string,
  organizationIds: readonly string[],
  change: (before: Availability) => Availability,
): Promise<ModemMessageBodyParser> {
  return changeParser(app, caller, identifier, async (tx, row) => {
    await requireDescendants(tx, caller, organizationIds);
    const columns = columnsOf(change(presentAvailability(row)));
    return {
      columns,
      change: { availableToChildOrganizations: availabilityMessage(columns), changed: ['child organizations'] },
    };
  });
}

const availabilityMessage = (columns: Pick<ParserRow, 'availableToAll' | 'availableTo' | 'unavailableTo'>) => ({
  $typeName: 'hiber.Filter.ChildOrganizations' as const,
  ...presentAvailability(columns),
});

const columnsOf = ({ includeAll, include, exclude }: Availability) => ({
  availableToAll: includeAll,
  availableTo: [...new Set(include)],
  unavailableTo: [...new Set(exclude)],
});

/** Removes the organizations from `exclude` and adds them to `include` unless all are included. */
export const makeAvailable =
  (ids: readonly string[]) =>
  ({ includeAll, include, exclude }: Availability): Availability => ({
    includeAll,
    include: includeAll ? include : [...include, ...ids],
    exclude: exclude.filter((id) => !ids.includes(id)),
  });

/** Removes the organizations from `include` and adds them to `exclude` if all are included. */
export const makeUnavailable =
  (ids: readonly string[]) =>
  ({ includeAll, include, exclude }: Availability): Availability => ({
    includeAll,
    include: include.filter((id) => !ids.includes(id)),
    exclude: includeAll ? [...exclude, ...ids] : exclude,
  });

async function requireDescendants(db: Executor, caller: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .select({ id: organization.id })
    .from(organization)
    .where(
      and(
        sql`${organization.id} = any(${sql.param([...ids])}::text[])`,
        sql`${organization.path} @> array[${caller.organization}]::text[]`,
        ne(organization.id, caller.organization),
        accessible(caller.session),
      ),
    );
  const unknownIds = ids.filter((id) => !rows.some((row) => row.id === id));
  if (unknownIds.length > 0) {
    throw invalidArgument(`${caller.organization} has no sub-organization ${summarizeList(unknownIds)}.`);
  }
}
