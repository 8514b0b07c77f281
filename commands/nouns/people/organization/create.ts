import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { command, type Resolved } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { addressOf, type AddressPart } from './address.ts';
import { avatarOf } from './logo.ts';
import { organizationIdProblem, organizationParams } from './params.ts';

const params = {
  id: required(p.text({ maxLength: LONGEST.organizationId, check: organizationIdProblem, placeholder: 'acme-north' })),
  ...organizationParams,
  // A contact is required, the rest may come later (contract: OrganizationService.Create).
  contactName: required(organizationParams.contactName),
  contactEmail: required(organizationParams.contactEmail),
};

type Wanted = Resolved<typeof params>;

/** An address of what was given of it; undefined for nothing. */
function given(parts: Partial<Record<AddressPart, string | undefined>>): ReturnType<typeof addressOf> | undefined {
  const some = Object.entries(parts).filter(([, value]) => value);
  return some.length > 0 ? addressOf(Object.fromEntries(some)) : undefined;
}

function requestOf(wanted: Wanted) {
  const { street, zipCode, city, state, country } = wanted;
  const address = given({ street, zipCode, city, state, country });
  const billingAddress = given({
    street: wanted.billingStreet,
    zipCode: wanted.billingZipCode,
    city: wanted.billingCity,
    state: wanted.billingState,
    country: wanted.billingCountry,
  });
  return {
    newOrganization: wanted.id.trim(),
    contact: { name: wanted.contactName, email: wanted.contactEmail.trim(), phone: wanted.contactPhone ?? '' },
    ...(wanted.name?.trim() ? { displayName: wanted.name.trim() } : {}),
    isBusiness: wanted.business,
    ...(wanted.vatNumber ? { vatNumber: wanted.vatNumber } : {}),
    ...(address ? { address } : {}),
    ...(wanted.billingName?.trim() ? { billingName: wanted.billingName.trim() } : {}),
    ...(billingAddress ? { billingAddress } : {}),
    ...(wanted.logo ? { avatar: avatarOf(wanted.logo) } : {}),
  };
}

function made(wanted: Wanted): Outcome {
  const id = wanted.id.trim();
  const label = wanted.name?.trim() || id;
  return {
    changed: ['organization', 'me'],
    results: [{ id, label }],
    message: message('organization:done.created', { name: label }),
    data: { id },
  };
}

function creating({ id, name }: Wanted, reversible: boolean): Plan {
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
  plan: async ({ actor }, wanted) => creating(wanted, actor.abilities.has('DELETE_ORGANIZATION')),
  run: async (context, wanted) => {
    const request = { ...requestOf(wanted), parentOrganization: context.organization.id };
    await context.api(OrganizationService).create(request, { signal: context.signal });
    return made(wanted);
  },
  inverse: ({ id }) => [{ id: 'organization.delete', args: { organizations: { ids: [id.trim()] } } }],
});

/** @throws CommandError beside the token, in the words of spec 5. */
async function checkToken(context: Context, organizationCreationToken: string): Promise<void> {
  const request = { organizationCreationToken };
  const { valid } = await context.api(OrganizationService).validateCreationToken(request, { signal: context.signal });
  if (!valid) throw new CommandError(message('organization:validation.token'), 'creationToken');
}

/**
 * With a token that support issued: also for somebody who is in no organization yet. Nothing is above it, so nobody
 * can delete it again.
 */
export const createWithToken = command({
  id: 'organization.create-with-token',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: { creationToken: required(p.secret()), ...params },
  positional: ['id'],
  plan: async (context, { creationToken, ...wanted }) => {
    await checkToken(context, creationToken.trim());
    return creating(wanted, false);
  },
  run: async (context, { creationToken, ...wanted }) => {
    const request = { ...requestOf(wanted), organizationCreationToken: creationToken.trim() };
    await context.api(OrganizationService).create(request, { signal: context.signal });
    return made(wanted);
  },
});
