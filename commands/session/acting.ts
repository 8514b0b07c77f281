import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import { CurrentUserService, type CurrentUser } from '#proto/gen/hiber/current_user_pb.ts';
import { Organization_Feature, OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

import { abilitiesOf, type Granted, type Grants } from '#commands/model/ability.ts';
import type { ActingOrganization, Actor } from '#commands/model/actor.ts';
import type { Preferences } from '#commands/model/context.ts';
import { readPreferences } from './preferences.ts';
import { beginVisit } from './visit.ts';
import { enumName } from '#commands/model/wire.ts';

/** Who acts, and for which organization. */
export interface Acting {
  readonly actor: Actor;
  readonly organization: ActingOrganization;
  /** JSON of the web client, opaque to the server; a text that is not an object (another client's) counts as none. */
  readonly preferences: Preferences;
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
}

/**
 * Who is signed in, seen from the organization to act for: the requested one, else the person's default (contract:
 * CurrentUser).
 * @throws ConnectError PERMISSION_DENIED when the requested organization is not the caller's to act for.
 */
export async function loadActing(
  api: <S extends DescService>(service: S) => Client<S>,
  requested: string | undefined,
): Promise<Acting> {
  const user = await api(CurrentUserService).currentUser(requested ? { organization: requested } : {});
  const id = user.currentOrganization ?? '';
  // A token without READ tells nothing of its owner, but begins in its own organization (contract: CurrentUser).
  const home = user.defaultOrganization ?? (requested ? '' : id);
  const organization = id ? await api(OrganizationService).get({ organization: id }) : undefined;
  const grants = grantsOf(user);
  const { name = '', email = '' } = user;
  // Staff reach every organization; only those that they belong to are not visited.
  const visits = grants.support.names.has('CUSTOMER_SUPPORT') && id !== home && !user.organizations.includes(id);
  const visit = id && visits ? await beginVisit(api, id) : undefined;
  return {
    actor: {
      id: user.id,
      name,
      email,
      home,
      grants,
      abilities: abilitiesOf(grants),
      ...(user.activeRoleOverride ? { trying: user.roles } : {}),
    },
    organization: {
      id,
      name: organization?.displayName || id,
      features: new Set(
        organization?.features.map((feature) => enumName(Organization_Feature, feature) ?? `${feature}`),
      ),
      impersonating: id !== home,
      ...(visit ? { visit } : {}),
    },
    preferences: readPreferences(user.missionControlSettings) ?? {},
    acceptedTac: user.acceptedTac,
    passwordResetRecommended: user.passwordResetRecommended,
  };
}

function grantsOf(user: CurrentUser): Grants {
  return {
    organization: granted(user.currentOrganizationPermissions, OrganizationPermission),
    user: granted(user.userPermissions, UserPermission),
    support: granted(user.supportPermissions, SupportPermission),
  };
}

/** A permission filter resolved to names: all or the included ones, minus the excluded. */
function granted(
  filter: { include: readonly number[]; exclude: readonly number[]; includeAll?: boolean } | undefined,
  names: Readonly<Record<string, number>>,
): Granted {
  if (!filter) return { all: false, names: new Set() };
  const excluded = new Set(filter.exclude);
  const included = filter.includeAll ? Object.values(names) : filter.include;
  const held = included.filter((value) => !excluded.has(value)).map((value) => enumName(names, value) ?? `${value}`);
  return { all: Boolean(filter.includeAll) && excluded.size === 0, names: new Set(held) };
}
