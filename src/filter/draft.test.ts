import { describe, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { parseFilter } from '#commands/query/parse.ts';

import { createDraft, EMPTY, editChip, validText, removeChip, textOf, typeText, moveOverChips } from './draft.ts';

const device = registry.entity('device')!;
const draft = createDraft(parseFilter('health:ERROR lifecycle:INSTALLED,PAUSED tag:"North field"', device));

describe('a filter draft', () => {
  test('shows each term as a chip', () => {
    expect(draft.chips).toEqual(['health:ERROR', 'lifecycle:INSTALLED,PAUSED', 'tag:"North field"']);
  });

  test('turns a complete term into a chip at a space outside quotes', () => {
    expect(typeText(EMPTY, 'health:ERROR ', device)).toEqual({
      chips: ['health:ERROR'],
      typing: '',
      activeChip: undefined,
    });
    expect(typeText(EMPTY, 'tag:"North ', device).typing).toBe('tag:"North ');
  });

  test('keeps invalid text and has no valid filter', () => {
    const invalid = typeText(draft, 'helth:ERROR ', device);
    expect(invalid.typing).toBe('helth:ERROR ');
    expect(validText(parseFilter(textOf(invalid), device))).toBeUndefined();
  });

  test('turns a chip back into text', () => {
    const editedDraft = editChip(draft, 0);
    expect(editedDraft.typing).toBe('health:ERROR');
    expect(textOf(editedDraft)).toBe('lifecycle:INSTALLED,PAUSED tag:"North field" health:ERROR');
  });

  test('moves through the chips and back into the input', () => {
    const last = moveOverChips(draft, -1);
    expect(last.activeChip).toBe(2);
    expect(moveOverChips(moveOverChips(last, -1), -1).activeChip).toBe(0);
    expect(moveOverChips(last, 1).activeChip).toBeUndefined();
  });

  test('moves to the next chip after removing one', () => {
    expect(removeChip({ ...draft, activeChip: 1 }, 1)).toMatchObject({
      chips: ['health:ERROR', 'tag:"North field"'],
      activeChip: 1,
    });
  });
});
