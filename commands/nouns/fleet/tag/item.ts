import type { TagLabel } from '#commands/model/column.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

/** A tag with its usage counts. */
export interface TagItem {
  readonly tag: Tag;
  readonly devices: number;
  readonly webhooks: number;
  readonly processPoints: number;
}

export function nameOf({ tag }: TagItem): string {
  return tag.label?.name ?? '';
}

export function typeOf({ tag }: TagItem): string {
  return tag.label?.type ?? '';
}

/** Returns the ids and names of an organization's tags (by default, the current organization's) for a table cell. */
export function tagLabels(tags: readonly Tag[], organization?: string): readonly TagLabel[] {
  return tags.map((tag) => ({
    id: `${tag.id}`,
    name: tag.label?.name ?? '',
    ...(organization === undefined ? {} : { organization }),
  }));
}
