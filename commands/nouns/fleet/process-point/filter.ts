import { create } from '@bufbuild/protobuf';

import { belowKey } from '#commands/kit/below.ts';
import { addTerm, intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { suggestTagTypes } from '#commands/kit/tag-types.ts';
import type { FilterKey, FilterKeys } from '#commands/model/filter.ts';
import { tag, findTagIds } from '#commands/nouns/fleet/tag/entity.ts';
import { suggestTagNames, loadTagNames, loadTagTypes } from '#commands/nouns/fleet/tag/list.ts';
import { message } from '#commands/text/message.ts';
import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import { TagSelectionSchema, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';

import type { PointSelection } from './item.ts';
import { TYPES, typeLabels, type TypeName } from './params.ts';

type Key = FilterKey<PointSelection>;

const getTagSelection = ({ points }: PointSelection): TagSelection =>
  (points.filterByTags ??= create(TagSelectionSchema));

/** The contract can only include types, and a point without a type is of none of them. */
const type: Key = {
  kind: 'choice',
  options: TYPES,
  label: typeLabels.byName,
  pluralMessage: message('process-point:filter.several'),
  apply: ({ points }, term) => {
    const types = valuesOf(term).map((name) => ProcessPoint_Type[name as TypeName]);
    points.types = intersectValues(points.types, types, term.key);
  },
};

const tagKey: Key = {
  kind: 'name',
  entity: () => tag,
  negates: true,
  presence: true,
  allValues: loadTagNames,
  suggest: suggestTagNames,
  apply: async (selection, term, context) => {
    const tags = getTagSelection(selection);
    addTerm((tags.filter ??= create(Filter_TagsSchema)), await findTagIds(term, context), term);
  },
};

const tagType: Key = {
  kind: 'text',
  allValues: loadTagTypes,
  suggest: async (context, text) => suggestTagTypes(await loadTagTypes(context), text),
  apply: (selection, term) => {
    const tags = getTagSelection(selection);
    tags.types = intersectValues(tags.types, valuesOf(term), term.key);
  },
};

const id: Key = {
  kind: 'text',
  canonical: (text) => text.replace(/^#/, ''),
  apply: ({ points }, term) => {
    points.identifiers = intersectValues(points.identifiers, valuesOf(term), term.key);
  },
};

export const pointFilter: FilterKeys<PointSelection> = { type, tag: tagKey, tagtype: tagType, id, below: belowKey };
