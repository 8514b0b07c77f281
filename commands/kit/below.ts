import { create } from '@bufbuild/protobuf';

import { Filter_ChildOrganizationsSchema, type Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { nearest } from '#commands/text/near.ts';
import type { Context } from '#commands/model/context.ts';
import { UnknownValue } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { addTo, matching, reference, valuesOf } from './filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { allOf } from '#commands/run/paging.ts';

/** An organization below the one on the screen, at any depth. */
interface Below {
  readonly id: string;
  readonly name: string;
}

const allBelow = reference('organization:below:all', async (context: Context): Promise<readonly Below[]> => {
  const found = await allOf(async (pagination) => {
    const request = { organization: context.organization.id, pagination };
    const listed = await context.api(OrganizationService).listChildOrganizations(request, { signal: context.signal });
    return { items: listed.childOrganizations, pagination: listed.pagination };
  });
  return found.map(({ organization, displayName }) => ({ id: organization, name: displayName || organization }));
});

/** What is typed for an organization: its name, or its id where another one has the same name. */
function typed({ id, name }: Below, all: readonly Below[]): string {
  return all.some((below) => below.id !== id && isNamed(below, name)) ? id : name;
}

function isNamed({ name }: Below, text: string): boolean {
  return name.toLocaleLowerCase() === text.toLocaleLowerCase();
}

async function suggestBelow(context: Context, text: string): Promise<readonly Suggestion[]> {
  const all = await allBelow(context);
  return matching(all, text, ({ id, name }) => `${name} ${id}`).map((below) => ({
    value: typed(below, all),
    label: below.name,
    detail: below.id,
  }));
}

/**
 * The ids of organizations below by id or name.
 * @throws UnknownValue with near ones for who is not there or not the only one
 */
async function idsBelow(texts: readonly string[], context: Context): Promise<readonly string[]> {
  const all = await allBelow(context);
  return texts.map((text) => {
    const wanted = text.trim();
    const exact = all.find(({ id }) => id === wanted.toLowerCase());
    const named = exact ? [exact] : all.filter((below) => isNamed(below, wanted));
    const [only, ...more] = named;
    if (only && more.length === 0) return only.id;
    if (only) {
      const ids = named.map(({ id }) => id);
      throw new UnknownValue(message('common:filter.ambiguous', { value: text, ids: ids.join(', ') }), text, ids);
    }
    const near = nearest(
      wanted,
      all.flatMap((below) => [typed(below, all), below.id]),
    ).slice(0, 5);
    const sentence =
      near.length > 0
        ? message('common:filter.notBelowNear', { value: text, near: near.join(', ') })
        : message('common:filter.notBelow', { value: text, organization: context.organization.name });
    throw new UnknownValue(sentence, text, near);
  });
}

/**
 * Items of organizations below as well: `below:*` of all of them, `below:"Acme North"` of one, `-below:"Acme North"`
 * of all others.
 */
export const belowKey: FilterKey<{ below?: Filter_ChildOrganizations }> = {
  kind: 'name',
  negates: true,
  presence: true,
  every: async (context) => {
    const all = await allBelow(context);
    return all.map((below) => typed(below, all));
  },
  suggest: suggestBelow,
  apply: async (selection, term, context) => {
    const below = (selection.below ??= create(Filter_ChildOrganizationsSchema));
    if ('present' in term.test) {
      below.includeAll = !term.negated;
      return;
    }
    addTo(below, await idsBelow(valuesOf(term), context), term);
    // Without these, of all the others.
    if (term.negated && below.include.length === 0) below.includeAll = true;
  },
};
