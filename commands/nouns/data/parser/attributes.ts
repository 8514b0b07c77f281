import { attributes } from '#commands/kit/attributes.ts';
import { message } from '#commands/text/message.ts';

import { kindOf, type ParserItem } from './item.ts';
import type { ParserSelection } from './list.ts';

export const parserAttributes = attributes<ParserItem, ParserSelection>({
  name: {
    kind: 'text',
    value: ({ parser }) => parser.name,
    column: { width: 180, grow: 2 },
    detail: 'identity',
  },
  id: {
    kind: 'mono',
    value: ({ parser }) => parser.identifier,
    column: { width: 150 },
    detail: 'about',
  },
  type: {
    kind: 'text',
    value: kindOf,
    column: { width: 90, texts: [message('parser:kind.simple'), message('parser:kind.uploaded')] },
    detail: 'about',
  },
  owner: {
    kind: 'text',
    value: ({ parser }) => parser.organizationDisplayName || parser.organization,
    column: { width: 130, grow: 1 },
    detail: 'owner',
  },
});
