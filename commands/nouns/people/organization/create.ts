import { command, type Resolved } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';

import { buildAddress, type AddressPart } from './address.ts';
import { toAvatar } from './logo.ts';
import { organizationIdProblem, organizationParams, suggestOrganizationId } from './params.ts';

const params = {
  id: required(
    p.text({
      maxLength: MAX_LENGTH.organizationId,
      check: organizationIdProblem,
      placeholder: 'acme-north',
      suggest: suggestOrganizationId,
    }),
  ),
  ...organizationParams,
  // The contract requires only the contact. The other details can be added later (OrganizationService.Create).
  contactName: required(organizationParams.contactName),
  contactEmail: required(organizationParams.contactEmail),
};

type CreateArgs = Resolved<typeof params>;

/** Builds an address from the parts that have a value. Returns undefined if all parts are empty. */
function optionalAddress(
  parts: Partial<Record<AddressPart, string | undefined>>,
): ReturnType<typeof buildAddress> | undefined {
  const entries = Object.entries(parts).filter(([, value]) => value);
  return entries.length > 0 ? buildAddress(Object.fromEntries(entries)) : undefined;
}

function createRequest(args: CreateArgs) {
  const { street, zipCode, city, state, country } = args;
  const address = optionalAddress({ street, zipCode, city, state, country });
  const billingAddress = optionalAddress({
    street: args.billingStreet,
    zipCode: args.billingZipCode,
    city: args.billingCity,
    state: args.billingState,
    country: args.billingCountry,
  });
  return {
    newOrganization: args.id.trim(),
    contact: { name: args.contactName, email: args.contactEmail.trim(), phone: args.contactPhone ?? '' },
    ...(args.name?.trim() ? { displayName: args.name.trim() } : {}),
    isBusiness: args.business,
    ...(args.vatNumber ? { vatNumber: args.vatNumber } : {}),
    ...(address ? { address } : {}),
    ...(args.billingName?.trim() ? { billingName: args.billingName.trim() } : {}),
    ...(billingAddress ? { billingAddress } : {}),
    ...(args.logo ? { avatar: toAvatar(args.logo) } : {}),
  };
}

function creationOutcome(args: CreateArgs): Outcome {
  const id = args.id.trim();
  const label = args.name?.trim() || id;
  return {
    changed: ['organization', 'me'],
    results: [{ id, label }],
    message: message('organization:done.created', { name: label }),
    data: { id },
  };
}

function creationPlan({ id, name }: CreateArgs, reversible: boolean): Plan {
  const summary = message('organization:plan.create', { name: name?.trim() || id.trim() });
  return { summary, count: 1, changes: [], reversible };
}

export const createOrganization = command({
  id: 'organization.create',
  requires: 'CREATE_ORGANIZATION',
  effect: 'write',
  keys: ['c o'],
  params,
  positional: ['id'],
  plan: async ({ actor }, args) => creationPlan(args, actor.abilities.has('DELETE_ORGANIZATION')),
  run: async (context, args) => {
    const request = { ...createRequest(args), parentOrganization: context.organization.id };
    await context.api(OrganizationService).create(request, { signal: context.signal });
    return creationOutcome(args);
  },
  inverse: ({ id }) => [{ id: 'organization.delete', args: { organizations: { ids: [id.trim()] } } }],
});

/**
 * Asks the server whether the token is valid.
 *
 * @throws CommandError if the token is invalid, with the wording from spec 5
 */
async function checkToken(context: Context, organizationCreationToken: string): Promise<void> {
  const request = { organizationCreationToken };
  const { valid } = await context.api(OrganizationService).validateCreationToken(request, { signal: context.signal });
  if (!valid) throw new CommandError(message('organization:validation.token'), 'creationToken');
}

/**
 * Creates an organization with a token from support. Users without an organization can use it too. The new organization
 * has no parent, so nobody can delete it.
 */
export const createWithToken = command({
  id: 'organization.create-with-token',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: { creationToken: required(p.secret()), ...params },
  positional: ['id'],
  plan: async (context, { creationToken, ...args }) => {
    await checkToken(context, creationToken.trim());
    return creationPlan(args, false);
  },
  run: async (context, { creationToken, ...args }) => {
    const request = { ...createRequest(args), organizationCreationToken: creationToken.trim() };
    await context.api(OrganizationService).create(request, { signal: context.signal });
    return creationOutcome(args);
  },
});
