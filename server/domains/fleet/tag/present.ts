import { create } from '@bufbuild/protobuf';

import { type Tag, type Tag_Metadata, Tag_MetadataSchema } from '#proto/gen/hiber/tag_pb.ts';
import { presentArea, presentShape } from '#server/db/locations.ts';
import type { tag, TagLocation } from '#server/db/schema/tag.ts';
import { type FileRow, presentFile } from '#server/domains/data/file/files.ts';
import { presentLocation } from '#server/wire/present.ts';

/** A tag with the data that responses contain. */
export interface ListedTag extends Pick<typeof tag.$inferSelect, 'id' | 'name' | 'type' | 'priority' | 'location'> {
  readonly files: readonly FileRow[];
}

/** Most tags share this metadata, which is safe because presented tags are never modified. */
const emptyMetadata: Tag_Metadata = create(Tag_MetadataSchema);

/**
 * Presents a tag with its location and files. Builds the messages directly because `create` copies its argument, and a
 * list can contain all tags of an organization.
 */
export function presentTag({ id, name, type, priority, location, files }: ListedTag): Tag {
  return {
    $typeName: 'hiber.tag.Tag',
    id: BigInt(id),
    label: { $typeName: 'hiber.tag.Tag.Label', name, type },
    // A missing priority counts as 0 (contract: TagService), so 0 is returned as missing.
    ...(priority !== 0 && { priority }),
    metadata:
      location === null && files.length === 0
        ? emptyMetadata
        : create(Tag_MetadataSchema, { location: presentTagLocation(location), files: files.map(presentFile) }),
  };
}

function presentTagLocation(value: TagLocation | null): Tag_Metadata['location'] {
  if (value === null) return { case: undefined };
  if (value.kind === 'point') return { case: 'locationPoint', value: presentLocation(value.point) };
  if (value.kind === 'area') return { case: 'locationArea', value: presentArea(value) };
  return { case: 'locationShape', value: presentShape(value.path) };
}
