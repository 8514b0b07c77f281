import { belowKey } from '#commands/kit/below.ts';
import { intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import type { FilterKey, FilterKeys } from '#commands/model/filter.ts';
import { tagKeys } from '#commands/nouns/fleet/tag/keys.ts';
import { suggestTagNames } from '#commands/nouns/fleet/tag/list.ts';
import { message } from '#commands/text/message.ts';
import { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';

import type { PointSelection } from './item.ts';
import { TYPES, typeLabels, type TypeName } from './params.ts';

type Key = FilterKey<PointSelection>;

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

const tags = tagKeys<PointSelection>({ tags: ({ points }) => points, suggest: suggestTagNames });

const id: Key = {
  kind: 'text',
  canonical: (text) => text.replace(/^#/, ''),
  apply: ({ points }, term) => {
    points.identifiers = intersectValues(points.identifiers, valuesOf(term), term.key);
  },
};

export const pointFilter: FilterKeys<PointSelection> = { type, ...tags, id, below: belowKey };
