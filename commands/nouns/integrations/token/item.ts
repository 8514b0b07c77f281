import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, type Token } from '#proto/gen/hiber/token_pb.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import { p } from '#commands/model/params.ts';
import { enumName } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';

/** A token, with what its roles are called, and the organizations that it may act for. */
export type TokenItem = Token & { readonly roleNames?: readonly string[]; readonly organizations?: OrganizationNames };

export const typeWords = enumWords(Token_Type, 'token:type');

export const ownerName = ({ userDetails }: Token): string | undefined =>
  plainName(userDetails?.name ?? '') || userDetails?.email || undefined;

/** Whom the server does not name is no longer a member, or not one to be seen. */
export const ownerOf = (item: Token): string | Message => ownerName(item) ?? message('common:someone');

/**
 * What can be granted: not the default that every member has, and not assets, which are process points under a former
 * name.
 */
export const PERMISSIONS = p.names(OrganizationPermission, [
  'PERMISSION_DEFAULT',
  'ASSETS',
  'ASSETS_UPDATE',
  'ASSETS_VALUES',
]);

export const permissionWords = enumWords(OrganizationPermission, 'role:permission');
export const userPermissionWords = enumWords(UserPermission, 'token:userPermission');

export const USER_PERMISSIONS = p.names(UserPermission);

export function permissionNames(values: readonly OrganizationPermission[]): readonly string[] {
  return values.flatMap((value) => enumName(OrganizationPermission, value) ?? []);
}

export function permissions(names: readonly string[]): OrganizationPermission[] {
  return names.map((name) => OrganizationPermission[name as keyof typeof OrganizationPermission]);
}

export function userPermissionNames(values: readonly UserPermission[]): readonly string[] {
  return values.flatMap((value) => enumName(UserPermission, value) ?? []);
}

export function userPermissions(names: readonly string[]): UserPermission[] {
  return names.map((name) => UserPermission[name as keyof typeof UserPermission]);
}
