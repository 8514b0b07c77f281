import type { RoleSelection } from '#proto/gen/hiber/role_pb.ts';
import type { Role } from '#server/policies/roles.ts';

/** True if the selection matches the role. Ignores `only_grantable`, which depends on the caller. */
export function isSelected(role: Role, selection: RoleSelection | undefined): boolean {
  const { include = [], exclude = [] } = selection?.roles ?? {};
  const text = `${role.identifier}\n${role.displayName}\n${role.description}`.toLowerCase();
  return (
    text.includes((selection?.search ?? '').trim().toLowerCase()) &&
    (include.length === 0 || include.includes(role.identifier)) &&
    !exclude.includes(role.identifier)
  );
}
