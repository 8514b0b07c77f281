import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { organizationIdProblem } from '#commands/nouns/people/organization/params.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { loadCurrentUser } from './settings.ts';

// The commands for joining an organization. Users without an organization can use only these and the account commands.

/** Refers to an organization by its id, because only members can see its display name. */
function organizationIdText(id: string): Message {
  return message('common:organizationId', { id: id.trim() });
}

/** Returns the name of the organization that sent the invitation. */
async function findInviterName(context: Context, id: string): Promise<string | Message> {
  const invite = (await loadInvites(context)).find(({ organization }) => organization === id.trim());
  return invite?.displayName || organizationIdText(id);
}

/** Loads the ids of organizations that the user has asked to join. */
export async function loadRequestedOrganizations(context: Context): Promise<readonly string[]> {
  return (await loadCurrentUser(context)).requestedOrganizations;
}

const requestAccess = command({
  id: 'me.request-access',
  requires: 'REQUEST_ACCESS',
  effect: 'write',
  // This is text instead of a ref, because users can't look up organizations that they aren't members of.
  params: { organization: required(p.text({ check: organizationIdProblem, placeholder: 'acme-north' })) },
  positional: ['organization'],
  plan: async (_context, { organization }) => ({
    summary: message('me:plan.requestAccess', { organization: organizationIdText(organization) }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context, { organization }) => {
    const request = { organization: organization.trim() };
    await context.api(CurrentUserService).requestAccess(request, { signal: context.signal });
    return {
      changed: ['me'],
      message: message('me:done.requestedAccess', { organization: organizationIdText(organization) }),
    };
  },
  inverse: ({ organization }) => [{ id: 'me.cancel-request', args: { organization: organization.trim() } }],
});

const cancelRequest = command({
  id: 'me.cancel-request',
  requires: 'REQUEST_ACCESS',
  effect: 'write',
  params: {
    organization: required(
      p.text({
        check: organizationIdProblem,
        placeholder: 'acme-north',
        suggest: async (context) =>
          (await loadRequestedOrganizations(context)).map((value) => ({ value, label: value })),
      }),
    ),
  },
  positional: ['organization'],
  plan: async (_context, { organization }) => ({
    summary: message('me:plan.cancelRequest', { organization: organizationIdText(organization) }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context, { organization }) => {
    const request = { organization: organization.trim() };
    await context.api(CurrentUserService).cancelAccessRequest(request, { signal: context.signal });
    return {
      changed: ['me'],
      message: message('me:done.canceledRequest', { organization: organizationIdText(organization) }),
    };
  },
  inverse: ({ organization }) => [{ id: 'me.request-access', args: { organization: organization.trim() } }],
});

/** Lists the user's pending requests to join an organization. */
const checkRequests = command({
  id: 'me.check-requests',
  effect: 'read',
  run: async (context) => {
    const requestedOrganizations = await loadRequestedOrganizations(context);
    const doneMessage =
      requestedOrganizations.length > 0
        ? message('me:done.waiting', {
            count: requestedOrganizations.length,
            organizations: listMessage(requestedOrganizations.map(organizationIdText)) ?? '',
          })
        : message('me:done.noPendingRequest');
    return { changed: ['me'], message: doneMessage, data: { requestedOrganizations: requestedOrganizations } };
  },
});

/** Cannot be undone by the user, because only an administrator can remove a member. */
const acceptInvite = command({
  id: 'me.accept-invite',
  requires: 'REQUEST_ACCESS',
  effect: 'write',
  params: {
    organization: required(
      p.text({
        check: organizationIdProblem,
        placeholder: 'acme-north',
        suggest: async (context, text) =>
          (await loadInvites(context, text)).map(({ organization, displayName }) => ({
            value: organization,
            label: displayName || organization,
            detail: organization,
          })),
      }),
    ),
    default: p.flag(),
  },
  positional: ['organization'],
  plan: async (context, { organization }) => ({
    summary: message('me:plan.acceptInvite', { organization: await findInviterName(context, organization) }),
    count: 1,
    changes: [],
    notes: [message('me:plan.onlyRemoved')],
    reversible: false,
    harmless: true,
  }),
  run: async (context, { organization, default: defaultOrganization }) => {
    const request = { organization: organization.trim(), defaultOrganization };
    // Read the name first, because an accepted invitation is no longer listed.
    const name = await findInviterName(context, organization);
    await context.api(CurrentUserService).acceptOrganizationInvite(request, { signal: context.signal });
    const doneMessage = message('me:done.acceptedInvite', { organization: name });
    return { changed: ['me', 'organization'], message: doneMessage };
  },
});

/** Loads the invitations sent to the caller's email address. */
export async function loadInvites(context: Context, search = '') {
  const request = search.trim() ? { search: search.trim() } : {};
  const { organizations } = await context
    .api(CurrentUserService)
    .listOrganizationInvites(request, { signal: context.signal });
  return organizations;
}

export const membershipCommands: readonly Command[] = [requestAccess, cancelRequest, checkRequests, acceptInvite];
