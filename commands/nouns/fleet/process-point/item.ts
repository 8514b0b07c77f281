import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Level } from '#commands/model/column.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { ProcessPoint, ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import type { ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

/** A process point in lists and commands. */
export interface PointItem {
  readonly point: ProcessPoint;
  /** The name of its worst device's health level, and the position of that level on the organization's scale. */
  readonly health: string | undefined;
  readonly level: Level;
  /** The newest value of each numeric type. Empty if the user can't read values. */
  readonly values: readonly ValueContext[];
  /** Names of organizations, including the point's organization; see `kit/organization-names.ts`. */
  readonly organizations?: OrganizationNames;
}

/** Selects process points. The contract has a separate field for the organizations. */
export interface PointSelection {
  readonly points: ProcessPointSelection;
  readonly below?: Filter_ChildOrganizations;
}

export const idOf = ({ point }: PointItem): string => point.identifier;

export const nameOf = ({ point }: PointItem): string => point.name || point.identifier;

/** Returns the organization of a point: the current one or a sub-organization. Calls about the point must name it. */
export const organizationIdOf = ({ point }: PointItem): string => point.organization;

/** The types of tags that lists of points can be sorted by (contract: ProcessPointService). */
const TYPES_WITH_SORT: readonly string[] = ['well', 'site', 'production_area'];

export function otherTags({ point }: PointItem): readonly Tag[] {
  return point.tags.filter(({ label }) => !TYPES_WITH_SORT.includes(label?.type ?? ''));
}

export function tagsOfType({ point }: PointItem, type: string): readonly Tag[] {
  return point.tags.filter(({ label }) => label?.type === type);
}
