import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { organizationIdProblem } from '#commands/nouns/people/organization/params.ts';
import { currentUser } from './settings.ts';

// Joining an organization: the only commands, with those about oneself, that somebody without any organization can run.

/** An organization that one is not in: nobody tells its name. */
function unnamed(id: string): Message {
  return message('common:organizationId', { id: id.trim() });
}

/** What the organization is called that invited the person. */
async function inviting(context: Context, id: string): Promise<string | Message> {
  const invite = (await invites(context)).find(({ organization }) => organization === id.trim());
  return invite?.displayName || unnamed(id);
}

/** An organization that the person asked to join, and that has not answered. */
export async function requestedOrganizations(context: Context): Promise<readonly string[]> {
  return (await currentUser(context)).requestedOrganizations;
}

const requestAccess = command({
  id: 'me.request-access',
  requires: 'REQUEST_ACCESS',
  effect: 'write',
  // No ref: an organization that one is not in cannot be looked up.
  params: { organization: required(p.text({ check: organizationIdProblem, placeholder: 'acme-north' })) },
  positional: ['organization'],
  plan: async (_context, { organization }) => ({
    summary: message('me:plan.requestAccess', { organization: unnamed(organization) }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context, { organization }) => {
    const request = { organization: organization.trim() };
    await context.api(CurrentUserService).requestAccess(request, { signal: context.signal });
    return { changed: ['me'], message: message('me:done.requestedAccess', { organization: unnamed(organization) }) };
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
        suggest: async (context) => (await requestedOrganizations(context)).map((value) => ({ value, label: value })),
      }),
    ),
  },
  positional: ['organization'],
  plan: async (_context, { organization }) => ({
    summary: message('me:plan.cancelRequest', { organization: unnamed(organization) }),
    count: 1,
    changes: [],
    reversible: true,
  }),
  run: async (context, { organization }) => {
    const request = { organization: organization.trim() };
    await context.api(CurrentUserService).cancelAccessRequest(request, { signal: context.signal });
    return { changed: ['me'], message: message('me:done.cancelledRequest', { organization: unnamed(organization) }) };
  },
  inverse: ({ organization }) => [{ id: 'me.request-access', args: { organization: organization.trim() } }],
});

/** Whether an administrator has answered yet. */
const checkRequests = command({
  id: 'me.check-requests',
  effect: 'read',
  run: async (context) => {
    const open = await requestedOrganizations(context);
    const text =
      open.length > 0
        ? message('me:done.waiting', { count: open.length, organizations: listed(open.map(unnamed)) ?? '' })
        : message('me:done.nothingWaits');
    return { changed: ['me'], message: text, data: { requestedOrganizations: open } };
  },
});

/** Joining cannot be taken back by oneself: only an administrator can remove a member. */
const acceptInvite = command({
  id: 'me.accept-invite',
  requires: 'REQUEST_ACCESS',
  effect: 'write',
  params: {
    organization: required(
      p.text({
        check: organizationIdProblem,
        suggest: async (context, text) =>
          (await invites(context, text)).map(({ organization, displayName }) => ({
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
    summary: message('me:plan.acceptInvite', { organization: await inviting(context, organization) }),
    count: 1,
    changes: [],
    notes: [message('me:plan.onlyRemoved')],
    reversible: false,
    harmless: true,
  }),
  run: async (context, { organization, default: defaultOrganization }) => {
    const request = { organization: organization.trim(), defaultOrganization };
    // An answered invitation is no longer listed.
    const name = await inviting(context, organization);
    await context.api(CurrentUserService).acceptOrganizationInvite(request, { signal: context.signal });
    const text = message('me:done.acceptedInvite', { organization: name });
    return { changed: ['me', 'organization'], message: text };
  },
});

/** The invitations for the caller's own email address. */
export async function invites(context: Context, search = '') {
  const request = search.trim() ? { search: search.trim() } : {};
  const { organizations } = await context
    .api(CurrentUserService)
    .listOrganizationInvites(request, { signal: context.signal });
  return organizations;
}

export const membershipCommands: readonly Command[] = [requestAccess, cancelRequest, checkRequests, acceptInvite];
