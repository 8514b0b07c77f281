import { describe, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';

import { findIdLists } from './id-lists.ts';
import { commandLines, commandText, parsePastedText } from './pasted-text.ts';

describe('a line from a terminal', () => {
  test.each([
    ['npx quarterdeck tag assign x', 'tag assign x', true],
    ['  $ npx quarterdeck tag assign x', 'tag assign x', true],
    ['npx --yes quarterdeck devices', 'devices', true],
    ['quarterdeck devices', 'devices', true],
    ['> tags', '> tags', false],
    ['quarterdeckers', 'quarterdeckers', false],
  ])('%s', (typed, text, isLine) => {
    expect(commandText(typed)).toEqual({ text, isLine });
  });

  test('is joined with the next line at a backslash, and skipped if it is empty or a comment', () => {
    expect(
      commandLines('# first\nnpx quarterdeck tag assign \\\n  health:ERROR --tag x\n\n$ quarterdeck tags'),
    ).toEqual(['tag assign health:ERROR --tag x', 'tags']);
    expect(commandLines('  tags  \n\n\t# comment')).toEqual(['tags']);
  });
});

describe('pasted text', () => {
  test('is read as lines if at least one line is a command', () => {
    const text = '$ quarterdeck tags\nquarterdeck nonsense';
    expect(parsePastedText(text, registry)).toEqual({ kind: 'lines', text });
  });

  test('is read as one command if the other lines are comments or its continuation', () => {
    expect(parsePastedText('# list tags\n$ npx quarterdeck tags  \n\n', registry)).toEqual({
      kind: 'text',
      text: 'tags',
    });
    const pastedLine = "npx quarterdeck tag create \\\n  'Site  1'  ";
    expect(parsePastedText(pastedLine, registry)).toEqual({ kind: 'text', text: "tag create 'Site  1'" });
  });

  test('is read as lines if they are commands', () => {
    const text = "npx quarterdeck tag create 'Site 1'\nnpx quarterdeck tag create 'Site 2'";
    expect(parsePastedText(`\n${text}\n`, registry)).toEqual({ kind: 'lines', text });
  });

  test("is joined with spaces if it isn't several commands", () => {
    expect(parsePastedText('Needs\n visit ', registry)).toEqual({ kind: 'text', text: 'Needs visit' });
    expect(parsePastedText('npx quarterdeck tags\n', registry)).toEqual({ kind: 'text', text: 'npx quarterdeck tags' });
  });

  test('is read as item ids, on one line or several', () => {
    expect(parsePastedText('831C 16AA\r\nA3811C9D\n', registry)).toEqual({ kind: 'text', text: '831C 16AA, A3811C9D' });
    const pastedIds = (text: string) => findIdLists(text, registry).map(({ entity, ids }) => [entity.name, ids]);
    expect(pastedIds('831C 16AA, A3811C9D; 831c16aa')).toEqual([['device', ['831C 16AA', 'A381 1C9D']]]);
    expect(pastedIds('831c 16aa a381 1c9d')).toEqual([['device', ['831C 16AA', 'A381 1C9D']]]);
    expect(pastedIds('#12 #13').map(([name]) => name)).toContain('tag');
    expect(pastedIds('12 13')).toEqual([]);
    expect(pastedIds('831C 16AA')).toEqual([]);
  });
});
