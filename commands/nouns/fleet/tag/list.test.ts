import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { TagSchema } from '#proto/gen/hiber/tag_pb.ts';

import { tag } from './entity.ts';
import type { TagItem } from './item.ts';
import { sortTags } from './list.ts';

function tagWith(name: string, counts: Partial<TagItem>): TagItem {
  return { tag: create(TagSchema, { label: { name } }), devices: 0, webhooks: 0, processPoints: 0, ...counts };
}

test.each(['devices', 'webhooks', 'processPoints'] as const)('counts %s and sorts by the count', (count) => {
  const items = [tagWith('Avocet', { [count]: 3 }), tagWith('Bittern', {}), tagWith('Curlew', { [count]: 12 })];
  const { value, sort } = tag.columns.find(({ id }) => id === count)!;
  expect(sortTags(items, [`-${sort}`]).map(value)).toEqual(['12', '3', '0']);
  expect(sortTags(items, [sort!]).map(value)).toEqual(['0', '3', '12']);
});
