import type { Role } from '#proto/hiber/role_pb';
import { RoleService } from '#proto/hiber/role_service_pb';
import type { Context } from '../core/context.ts';
import { matching, reference } from '../core/filter-keys.ts';
import type { Suggestion } from '../core/kinds.ts';

/** Roles are predefined (contract: RoleService). */
const roles = reference('role:all', async (context): Promise<readonly Role[]> => {
  const request = { organization: context.organization.id };
  return (await context.api(RoleService).list(request, { signal: context.signal })).roles;
});

export async function suggestRoles(context: Context, text: string): Promise<readonly Suggestion[]> {
  const found = matching(await roles(context), text, ({ identifier, displayName }) => `${displayName} ${identifier}`);
  return found.map(({ identifier, displayName, description }) => ({
    value: identifier,
    label: displayName || identifier,
    detail: description,
  }));
}
