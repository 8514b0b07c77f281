import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';

import { withLines } from './definition-changes.ts';

const BEFORE = `meta:
  id: level
seq:
  - id: raw
    type: u2
  - id: pad
    size: 2
  - id: flags
    type: u1
`;
const linesFrom = (before: string, after: string) =>
  withLines({ id: 'a', label: 'A', field: message('parser:fields.definition') }, before, after).lines;

test('has one line for each change, with its number and its field', () => {
  const after = BEFORE.replace('type: u2', 'type: u4')
    .replace('  - id: pad\n    size: 2\n', '')
    .replace('type: u1', '# 8 bits\n    type: b8')
    .replace('id: level', 'id: tank');
  expect(linesFrom(BEFORE, after)).toEqual({
    shown: [
      { line: 2, part: 'meta', before: 'id: level', after: 'id: tank' },
      { line: 5, part: 'raw', before: 'type: u2', after: 'type: u4' },
      { line: 6, part: 'pad', before: '- id: pad' },
      { line: 7, part: 'pad', before: 'size: 2' },
      { line: 7, part: 'flags', after: '# 8 bits' },
      { line: 8, part: 'flags', before: 'type: u1', after: 'type: b8' },
    ],
    moreCount: 0,
  });
});

test('has the first lines, and counts the others', () => {
  const after = `${BEFORE}${Array.from({ length: 9 }, (_, index) => `# note ${index}\n`).join('\n')}`;
  expect(linesFrom(BEFORE, after)).toMatchObject({ shown: { length: 6, 0: { after: '# note 0' } }, moreCount: 3 });
});
