import { create } from '@bufbuild/protobuf';
import { type OrganizationTree, OrganizationTreeSchema } from '#proto/gen/hiber/organization_pb.ts';
import { type OrganizationRow, presentOrganization } from './present.ts';

/**
 * Nests organizations below a root. What happens to the parents of a match is not stated (contract: Tree): they are
 * kept, so that every match hangs where it belongs; so is the root.
 *
 * @param rows the root and everything below it that the caller may see, sorted the way children must be
 * @param matches whether an organization was asked for
 */
export function organizationTree(
  root: OrganizationRow,
  rows: readonly OrganizationRow[],
  matches: (id: string) => boolean,
): OrganizationTree {
  const present = new Set(rows.map((row) => row.id));
  const wanted = new Set([root.id, ...rows.filter((row) => matches(row.id)).flatMap((row) => row.path)]);
  const children = new Map<string, OrganizationRow[]>();
  for (const row of rows) {
    if (row.id === root.id || !wanted.has(row.id)) continue;
    const parent = nearestPresent(row.path, present) ?? root.id;
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const node = (row: OrganizationRow): OrganizationTree =>
    create(OrganizationTreeSchema, {
      organization: presentOrganization(row),
      children: (children.get(row.id) ?? []).map(node),
    });
  return node(root);
}

/** A token may reach an organization and not the one above it: the child then hangs below the next one up. */
const nearestPresent = (path: readonly string[], present: ReadonlySet<string>): string | undefined =>
  path.slice(0, -1).findLast((ancestor) => present.has(ancestor));
