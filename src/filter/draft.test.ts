import { describe, expect, it } from 'vitest';

import { registry } from '#commands/nouns/all.ts';

import { parseFilter } from '#commands/query/parse.ts';
import { draftOf, EMPTY, editChip, goodText, removeChip, textOf, typed, walk } from './draft.ts';

const device = registry.entity('device')!;
const draft = draftOf(parseFilter('health:ERROR lifecycle:INSTALLED,PAUSED tag:"North field"', device));

describe('a filter while it is typed', () => {
  it('shows each term as a chip', () => {
    expect(draft.chips).toEqual(['health:ERROR', 'lifecycle:INSTALLED,PAUSED', 'tag:"North field"']);
  });

  it('makes a chip of a finished term at a space, not inside quotes', () => {
    expect(typed(EMPTY, 'health:ERROR ', device)).toEqual({
      chips: ['health:ERROR'],
      typing: '',
      at: undefined,
    });
    expect(typed(EMPTY, 'tag:"North ', device).typing).toBe('tag:"North ');
  });

  it('keeps as text what does not parse, and has no good text then', () => {
    const wrong = typed(draft, 'helth:ERROR ', device);
    expect(wrong.typing).toBe('helth:ERROR ');
    expect(goodText(parseFilter(textOf(wrong), device))).toBeUndefined();
  });

  it('turns a chip into text again', () => {
    const edited = editChip(draft, 0);
    expect(edited.typing).toBe('health:ERROR');
    expect(textOf(edited)).toBe('lifecycle:INSTALLED,PAUSED tag:"North field" health:ERROR');
  });

  it('walks the chips and back into the input', () => {
    const last = walk(draft, -1);
    expect(last.at).toBe(2);
    expect(walk(walk(last, -1), -1).at).toBe(0);
    expect(walk(last, 1).at).toBeUndefined();
  });

  it('stays on the next chip when one is removed', () => {
    expect(removeChip({ ...draft, at: 1 }, 1)).toMatchObject({ chips: ['health:ERROR', 'tag:"North field"'], at: 1 });
  });
});
