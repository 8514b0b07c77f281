import type { Tag } from '#proto/hiber/tag_pb';

/** A tag with how much it is used. */
export interface TagItem {
  readonly tag: Tag;
  readonly devices: number;
  readonly webhooks: number;
  readonly processPoints: number;
}

/** The types that have sorts of their own, and what an empty type becomes (contract: TagService). Others need support. */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];
