import { create } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import { UnknownValueError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import { Filter_ChildOrganizationsSchema, type Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';

import { addTerm, cachedLoader, valuesOf } from './filter-keys.ts';
import { findMatches } from './matching.ts';

/** A sub-organization of the current organization, at any depth. */
interface ChildOrganization {
  readonly id: string;
  readonly name: string;
}

const fetchChildOrganizations = cachedLoader(
  'organization:below:all',
  async (context: Context): Promise<readonly ChildOrganization[]> => {
    const children = await loadAllPages(async (pagination) => {
      const request = { organization: context.organization.id, pagination };
      const response = await context
        .api(OrganizationService)
        .listChildOrganizations(request, { signal: context.signal });
      return { items: response.childOrganizations, pagination: response.pagination };
    });
    return children.map(({ organization, displayName }) => ({ id: organization, name: displayName || organization }));
  },
);

/** Returns the text to type for an organization: its name, or its id if another organization has the same name. */
function inputText({ id, name }: ChildOrganization, organizations: readonly ChildOrganization[]): string {
  return organizations.some((child) => child.id !== id && isNamed(child, name)) ? id : name;
}

function isNamed({ name }: ChildOrganization, text: string): boolean {
  return name.toLocaleLowerCase() === text.toLocaleLowerCase();
}

async function suggestChildren(context: Context, text: string): Promise<readonly Suggestion[]> {
  const organizations = await fetchChildOrganizations(context);
  return (await findMatches(organizations, text, ({ id, name }) => `${name} ${id}`)).map((child) => ({
    value: inputText(child, organizations),
    label: child.name,
    detail: child.id,
  }));
}

/**
 * Resolves sub-organizations by id or name.
 *
 * @throws UnknownValueError with suggestions for a name that is unknown or ambiguous
 */
async function findChildIds(names: readonly string[], context: Context): Promise<readonly string[]> {
  const organizations = await fetchChildOrganizations(context);
  return names.map((text) => {
    const trimmed = text.trim();
    const exactMatch = organizations.find(({ id }) => id === trimmed.toLowerCase());
    const matches = exactMatch ? [exactMatch] : organizations.filter((child) => isNamed(child, trimmed));
    const [match, ...others] = matches;
    if (match && others.length === 0) return match.id;
    if (match) {
      const ids = matches.map(({ id }) => id);
      throw new UnknownValueError(message('common:filter.ambiguous', { value: text, ids: ids.join(', ') }), text, ids);
    }
    const nearMatches = nearestNames(
      trimmed,
      organizations.flatMap((child) => [inputText(child, organizations), child.id]),
    ).slice(0, 5);
    const problem =
      nearMatches.length > 0
        ? message('common:filter.notBelowNear', { value: text, near: nearMatches.join(', ') })
        : message('common:filter.notBelow', { value: text, organization: context.organization.name });
    throw new UnknownValueError(problem, text, nearMatches);
  });
}

/**
 * Includes items of sub-organizations: of all of them (`below:*`), of one (`below:"Acme North"`), or of all but one
 * (`-below:"Acme North"`).
 */
export const belowKey: FilterKey<{ below?: Filter_ChildOrganizations }> = {
  kind: 'name',
  negates: true,
  presence: true,
  allValues: async (context) => {
    const organizations = await fetchChildOrganizations(context);
    return organizations.map((child) => inputText(child, organizations));
  },
  suggest: suggestChildren,
  apply: async (selection, term, context) => {
    const childOrganizations = (selection.below ??= create(Filter_ChildOrganizationsSchema));
    if ('present' in term.test) {
      childOrganizations.includeAll = !term.negated;
      return;
    }
    addTerm(childOrganizations, await findChildIds(valuesOf(term), context), term);
    // If the filter has only exclusions, start from all sub-organizations.
    if (term.negated && childOrganizations.include.length === 0) childOrganizations.includeAll = true;
  },
};
