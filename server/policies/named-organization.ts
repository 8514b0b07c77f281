import type { DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { rpcName } from './policy.ts';

/** Where a request names its organization, for those that have no field `organization` of their own. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'hiber.organization.OrganizationService.Create': ['parent_organization'],
  'hiber.organization.OrganizationService.Delete': ['parent_organization'],
  // Two list requests in one; the parents' is asked first.
  'hiber.modem.ModemService.Grouped': ['groups.organization', 'group_content.organization'],
};

/** Fields of the request that may name the organization, first one first; each a path of field names. */
export const organizationPaths = (method: DescMethod): string[][] =>
  (elsewhere[rpcName(method)] ?? ['organization']).map((path) => path.split('.'));

/** @returns the slug that the request names; undefined or empty when it names none */
export function organizationNamedIn(method: DescMethod, message: Message): string | undefined {
  for (const path of organizationPaths(method)) {
    const named = textAt(method.input, message, path);
    if (named) return named;
  }
  return undefined;
}

function textAt(schema: DescMessage, message: Message, [name, ...rest]: string[]): string | undefined {
  const field = schema.fields.find((each) => each.name === name);
  const reflected = reflect(schema, message);
  if (field === undefined || !reflected.isSet(field)) return undefined;
  if (field.fieldKind === 'message') return textAt(field.message, reflected.get(field).message, rest);
  const value: unknown = field.fieldKind === 'scalar' ? reflected.get(field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
