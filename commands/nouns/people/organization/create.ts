import type { MessageInitShape } from '@bufbuild/protobuf';

import type { CallContext } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import type { Resolved } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, type CreatedItem } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { OrganizationService, type CreateOrganizationRequestSchema } from '#proto/gen/hiber/organization_pb.ts';

import { buildAddress, type AddressPart } from './address.ts';
import { organization } from './entity.ts';
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

const creation = {
  entity: organization,
  positional: ['id'],
  nameOf: ({ id, name }: CreateArgs) => name?.trim() || id.trim(),
  changed: ['me'],
} as const;

async function sendRequest(
  { api, signal }: CallContext,
  args: CreateArgs,
  place: Pick<
    MessageInitShape<typeof CreateOrganizationRequestSchema>,
    'parentOrganization' | 'organizationCreationToken'
  >,
): Promise<CreatedItem> {
  await api(OrganizationService).create({ ...createRequest(args), ...place }, { signal });
  return { id: args.id.trim(), label: creation.nameOf(args) };
}

export const createOrganization = createAction({
  ...creation,
  requires: 'CREATE_ORGANIZATION',
  keys: ['c o'],
  params,
  call: (context, args) => sendRequest(context, args, { parentOrganization: context.organization }),
  undo: { verb: 'delete' },
  reversible: ({ actor }) => actor.abilities.has('DELETE_ORGANIZATION'),
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
export const createWithToken = createAction({
  ...creation,
  verb: 'create-with-token',
  requires: 'UPDATE_SELF',
  params: { creationToken: required(p.secret()), ...params },
  notes: async (context, { creationToken }) => {
    await checkToken(context, creationToken.trim());
    return [];
  },
  call: (context, { creationToken, ...args }) =>
    sendRequest(context, args, { organizationCreationToken: creationToken.trim() }),
});
