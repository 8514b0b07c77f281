import type { Column, Fact } from '#commands/model/column.ts';
import type { Message } from '#commands/text/message.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import type { TagItem } from './item.ts';
import { locationText } from './location.ts';

const typeOf = ({ tag }: TagItem): string | Message | undefined => tagTypeText(tag.label?.type);

export const tagColumns: readonly Column<TagItem>[] = [
  { id: 'name', kind: 'text', width: 240, grow: 2, sort: 'name', value: ({ tag }) => tag.label?.name },
  { id: 'type', kind: 'text', width: 140, sort: 'type', value: typeOf },
  { id: 'devices', kind: 'number', width: 90, sort: 'devices', value: ({ devices }) => `${devices}` },
  { id: 'webhooks', kind: 'number', width: 90, sort: 'webhooks', value: ({ webhooks }) => `${webhooks}` },
  {
    id: 'processPoints',
    kind: 'number',
    width: 110,
    sort: 'process-points',
    value: ({ processPoints }) => `${processPoints}`,
  },
  { id: 'priority', kind: 'number', width: 80, sort: 'priority', value: ({ tag }) => tag.priority?.toString() },
  { id: 'location', kind: 'mono', width: 220, grow: 1, value: ({ tag }) => locationText(tag) },
  { id: 'id', kind: 'mono', width: 70, value: ({ tag }) => `#${tag.id}` },
];

export const tagFacts: readonly Fact<TagItem>[] = [
  { id: 'name', kind: 'text', group: 'identity', value: ({ tag }) => tag.label?.name, edit: 'tag.rename' },
  { id: 'type', kind: 'text', group: 'about', value: typeOf, edit: 'tag.edit' },
  { id: 'priority', kind: 'number', group: 'about', value: ({ tag }) => tag.priority?.toString(), edit: 'tag.edit' },
  { id: 'location', kind: 'mono', group: 'about', value: ({ tag }) => locationText(tag), edit: 'tag.edit' },
  { id: 'devices', kind: 'number', group: 'use', value: ({ devices }) => `${devices}` },
  { id: 'webhooks', kind: 'number', group: 'use', value: ({ webhooks }) => `${webhooks}` },
  { id: 'processPoints', kind: 'number', group: 'use', value: ({ processPoints }) => `${processPoints}` },
  { id: 'id', kind: 'mono', group: 'about', value: ({ tag }) => `#${tag.id}` },
];
