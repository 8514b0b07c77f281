import type { Tag } from '#proto/hiber/tag_pb';
import { message, type Message } from '../core/message.ts';

/** A tag with how much it is used. */
export interface TagItem {
  readonly tag: Tag;
  readonly devices: number;
  readonly webhooks: number;
  readonly processPoints: number;
}

/** The types that have sorts of their own, and what an empty type becomes (contract: TagService). Others need support. */
export const TAG_TYPES: readonly string[] = ['group', 'well', 'site', 'production_area'];

/** A type in words; one that support made up is its own. */
export function typeText(type: string | undefined): string | Message | undefined {
  return type !== undefined && TAG_TYPES.includes(type) ? message(`tag:type.${type}`) : type;
}
