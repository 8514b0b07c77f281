import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

/** A tag with how much it is used. */
export interface TagItem {
  readonly tag: Tag;
  readonly devices: number;
  readonly webhooks: number;
  readonly processPoints: number;
}
