import { enumLabels } from '#commands/kit/enum-labels.ts';
import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import { p } from '#commands/model/params.ts';
import { enumName } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, type Token } from '#proto/gen/hiber/token_pb.ts';

/** A token, with the names of its roles and of the organizations it may access. */
export type TokenItem = Token & { readonly roleNames?: readonly string[]; readonly organizations?: OrganizationNames };

export const typeLabels = enumLabels(Token_Type, 'token:type');

export const ownerName = ({ userDetails }: Token): string | undefined =>
  plainName(userDetails?.name ?? '') || userDetails?.email || undefined;

/** Returns the owner's name. The server omits owners who have left, and owners whom the caller cannot see. */
export const ownerOf = (item: Token): string | Message => ownerName(item) ?? message('common:someone');

/**
 * The permissions that can be granted. These are all except the default permission, which every member has, and the
 * permissions for assets, the former name of process points.
 */
export const PERMISSIONS = p.names(OrganizationPermission, [
  'PERMISSION_DEFAULT',
  'ASSETS',
  'ASSETS_UPDATE',
  'ASSETS_VALUES',
]);

export const permissionLabels = enumLabels(OrganizationPermission, 'role:permission');
export const userPermissionLabels = enumLabels(UserPermission, 'token:userPermission');

export const USER_PERMISSIONS = p.names(UserPermission);

export function permissionNames(values: readonly OrganizationPermission[]): readonly string[] {
  return values.flatMap((value) => enumName(OrganizationPermission, value) ?? []);
}

export function toPermissions(names: readonly string[]): OrganizationPermission[] {
  return names.map((name) => OrganizationPermission[name as keyof typeof OrganizationPermission]);
}

export function userPermissionNames(values: readonly UserPermission[]): readonly string[] {
  return values.flatMap((value) => enumName(UserPermission, value) ?? []);
}

export function toUserPermissions(names: readonly string[]): UserPermission[] {
  return names.map((name) => UserPermission[name as keyof typeof UserPermission]);
}
