import { parsersTab } from '#commands/kit/parsers-tab.ts';
import type { DetailTab } from '#commands/model/entity.ts';

import { tagFiles } from './files.ts';
import type { TagItem } from './item.ts';

export const tagTabs: readonly DetailTab<TagItem>[] = [
  parsersTab<TagItem>({
    links: (item) => [{ to: 'tag', selection: { tags: { filter: { include: [item.tag.id] } } } }],
    organization: () => undefined,
    assign: (item) => ({ id: 'parser.assign-to-tags', args: { tags: { ids: [`${item.tag.id}`] } } }),
    unassign: (item) => ({ id: 'parser.unassign-from-tags', args: { tags: { ids: [`${item.tag.id}`] } } }),
  }),
  tagFiles,
];
