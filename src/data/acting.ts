import { abilitiesOf, type Granted } from '#commands/core/ability';
import { CurrentUserService, type CurrentUser } from '#proto/hiber/current_user_pb';
import { Organization_Feature, OrganizationService } from '#proto/hiber/organization_pb';
import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/hiber/permission_pb';

import type { Acting } from '../state/acting.ts';
import { api } from './transport.ts';

/**
 * Who is signed in, seen from the organization that this tab acts for: the requested one, else the person's default (contract: CurrentUser).
 * @throws ConnectError PERMISSION_DENIED when the requested organization is not the caller's to act for.
 */
export async function loadActing(requested: string | undefined): Promise<Acting> {
  const user = await api(CurrentUserService).currentUser(requested ? { organization: requested } : {});
  const id = user.currentOrganization ?? '';
  const home = user.defaultOrganization ?? '';
  const organization = id ? await api(OrganizationService).get({ organization: id }) : undefined;
  const grants = grantsOf(user);
  return {
    actor: {
      id: user.id,
      name: user.name ?? '',
      email: user.email ?? '',
      home,
      grants,
      abilities: abilitiesOf(grants),
    },
    organization: {
      id,
      name: organization?.displayName || id,
      features: new Set(organization?.features.map((each) => nameOf(Organization_Feature, each))),
      impersonating: id !== home,
    },
    preferences: preferencesOf(user.missionControlSettings),
  };
}

function grantsOf(user: CurrentUser): Acting['actor']['grants'] {
  return {
    organization: granted(user.currentOrganizationPermissions, OrganizationPermission),
    user: granted(user.userPermissions, UserPermission),
    support: granted(user.supportPermissions, SupportPermission),
  };
}

function granted(
  filter: { include: readonly number[]; exclude: readonly number[]; includeAll?: boolean } | undefined,
  names: Record<string, number>,
): Granted {
  if (!filter) return { all: false, names: new Set() };
  const excluded = new Set(filter.exclude);
  const every = filter.includeAll ? Object.values(names) : filter.include;
  const held = new Set(every.filter((each) => !excluded.has(each)).map((each) => nameOf(names, each)));
  return { all: Boolean(filter.includeAll) && excluded.size === 0, names: held };
}

function nameOf(names: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? String(value);
}

/** The settings are the web client's own JSON; a text that is not an object (another client's) counts as none. */
function preferencesOf(json: string): Acting['preferences'] {
  if (!json) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Acting['preferences']) : {};
  } catch {
    return {};
  }
}
