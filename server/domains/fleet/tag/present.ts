import { create } from '@bufbuild/protobuf';

import { type Tag, type Tag_Metadata, Tag_MetadataSchema, TagSchema } from '#proto/gen/hiber/tag_pb.ts';
import { presentArea, presentShape } from '#server/db/locations.ts';
import type { tag, TagLocation } from '#server/db/schema/tag.ts';
import { type FileRow, presentFile } from '#server/domains/data/file/files.ts';
import { presentLocation } from '#server/wire/present.ts';

/** A tag with the data that responses contain. */
export interface ListedTag extends Pick<typeof tag.$inferSelect, 'id' | 'name' | 'type' | 'priority' | 'location'> {
  readonly files: readonly FileRow[];
}

export function presentTag(row: ListedTag): Tag {
  return create(TagSchema, {
    id: BigInt(row.id),
    label: { name: row.name, type: row.type },
    // A missing priority counts as 0 (contract: TagService), so 0 is returned as missing.
    priority: row.priority === 0 ? undefined : row.priority,
    metadata: create(Tag_MetadataSchema, { location: location(row.location), files: row.files.map(presentFile) }),
  });
}

function location(value: TagLocation | null): Tag_Metadata['location'] {
  if (value === null) return { case: undefined };
  if (value.kind === 'point') return { case: 'locationPoint', value: presentLocation(value.point) };
  if (value.kind === 'area') return { case: 'locationArea', value: presentArea(value) };
  return { case: 'locationShape', value: presentShape(value.path) };
}
