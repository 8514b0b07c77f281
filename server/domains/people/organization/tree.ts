import { create } from '@bufbuild/protobuf';

import { type OrganizationTree, OrganizationTreeSchema } from '#proto/gen/hiber/organization_pb.ts';

import { type OrganizationRow, presentOrganization } from './present.ts';

/**
 * Nests organizations under a root. Includes the root and the ancestors of each match, to show where the match belongs
 * (not specified in the contract).
 *
 * @param rows the root and its descendants that the caller may see, sorted
 * @param matches true if the request selects the organization
 */
export function organizationTree(
  root: OrganizationRow,
  rows: readonly OrganizationRow[],
  matches: (id: string) => boolean,
): OrganizationTree {
  const visibleIds = new Set(rows.map((row) => row.id));
  const includedIds = new Set([root.id, ...rows.filter((row) => matches(row.id)).flatMap((row) => row.path)]);
  const children = new Map<string, OrganizationRow[]>();
  for (const row of rows) {
    if (row.id === root.id || !includedIds.has(row.id)) continue;
    const parent = nearestVisible(row.path, visibleIds) ?? root.id;
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const node = (row: OrganizationRow): OrganizationTree =>
    create(OrganizationTreeSchema, {
      organization: presentOrganization(row),
      children: (children.get(row.id) ?? []).map(node),
    });
  return node(root);
}

/**
 * Returns the nearest ancestor that the caller may see. A token can have access to an organization but not to its
 * parent.
 */
const nearestVisible = (path: readonly string[], visibleIds: ReadonlySet<string>): string | undefined =>
  path.slice(0, -1).findLast((ancestor) => visibleIds.has(ancestor));
