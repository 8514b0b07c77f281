import { create } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { toSpan, toTimestamp } from '#commands/model/time.ts';
import { toMs } from '#commands/model/wire.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { role } from '#commands/nouns/people/role/entity.ts';
import { user } from '#commands/nouns/people/user/entity.ts';
import { firstDay, momentFormat } from '#commands/session/preferences.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';
import { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';

import { token } from './entity.ts';
import { toPermissions, toUserPermissions, typeLabels } from './item.ts';
import { tokenParams } from './params.ts';

function expiryProblem(value: string, { now }: Context): Message | undefined {
  return toSpan(value, now()).to > now().getTime() ? undefined : message('token:validation.past');
}

export const createToken = createAction({
  entity: token,
  requires: 'MANAGE_TOKENS',
  keys: ['c k'],
  params: {
    name: required(
      p.text({
        maxLength: MAX_LENGTH.tokenName,
        check: (value) => (value.trim() ? undefined : message('core:validation.required')),
      }),
    ),
    type: p.choice(p.names(Token_Type), { fallback: 'SPECIFIC', label: typeLabels.byName }),
    ...tokenParams,
    expires: p.time({ future: true, check: expiryProblem }),
    forUser: p.ref(() => user),
    organizations: p.refs(() => organization),
    allOrganizations: p.flag(),
    short: p.flag(),
  },
  positional: ['name'],
  problems: (_context, { type, permissions = [], userPermissions = [], roles = [], forUser }) => {
    if (type === 'PERSONAL' && permissions.length + userPermissions.length + roles.length > 0)
      return { type: message('token:validation.personal') };
    return forUser && userPermissions.length > 0 ? { userPermissions: message('token:validation.forUser') } : {};
  },
  nameOf: ({ name }) => name.trim(),
  notes: (_context, { permissions = [], roles = [], type }) => [
    message('token:plan.once'),
    ...(type === 'SPECIFIC' && permissions.length + roles.length === 0 ? [message('token:plan.nothing')] : []),
  ],
  call: async ({ api, organization: slug, signal, now, preferences }, args) => {
    const name = args.name.trim();
    const hasOrganizations = args.allOrganizations || (args.organizations ?? []).length > 0;
    const { created, token: secret } = await api(TokenService).create(
      {
        organization: slug,
        name,
        type: Token_Type[args.type ?? 'SPECIFIC'],
        organizationPermissions: { include: toPermissions(args.permissions ?? []) },
        userPermissions: { include: toUserPermissions(args.userPermissions ?? []) },
        roles: { include: (args.roles ?? []).map(role.id) },
        ...(args.expires
          ? { expiresAt: create(TimestampSchema, toTimestamp(args.expires, now(), firstDay(preferences))) }
          : {}),
        ...(args.forUser ? { forUserId: args.forUser.user.id } : {}),
        ...(args.short ? { minimize: true } : {}),
        ...(hasOrganizations
          ? {
              limitImpersonation: {
                includeAll: args.allOrganizations,
                include: (args.organizations ?? []).map(organization.id),
              },
            }
          : {}),
      },
      { signal },
    );
    // A token created with an expiring token expires when that token does. Mention it unless an expiry was requested.
    const expiry = args.expires ? undefined : toMs(created?.expiresAt);
    const until = expiry === undefined ? undefined : formatMoment(expiry, momentFormat(preferences));
    return {
      id: `${created?.id ?? ''}`,
      label: name,
      reveal: { label: message('token:secret', { name }), value: secret },
      ...(until === undefined ? {} : { message: message('token:done.createdUntil', { name, until }) }),
    };
  },
  undo: { verb: 'revoke' },
});

export const revokeToken = bulkAction({
  entity: token,
  verb: 'revoke',
  effect: 'destructive',
  requires: 'MANAGE_TOKENS',
  keys: [LETTERS.remove],
  change: ({ name }) => ({ field: message('token:columns.name'), before: name, after: undefined }),
  notes: (_context, items) => [
    message('token:plan.createdTokens'),
    ...(items.some(({ usedForThisCall }) => usedForThisCall) ? [message('token:plan.own')] : []),
  ],
  confirm: ({ name }) => name,
  isLast: ({ usedForThisCall }) => usedForThisCall,
  size: 1,
  call: async ({ api, organization, signal }, [item]) => {
    await api(TokenService).delete({ organization, tokenId: item!.id }, { signal });
  },
});
