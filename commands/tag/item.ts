import type { Tag } from '#proto/hiber/tag_pb';

/** A tag with how much it is used. */
export interface TagItem {
  readonly tag: Tag;
  readonly devices: number;
  readonly webhooks: number;
  readonly processPoints: number;
}
