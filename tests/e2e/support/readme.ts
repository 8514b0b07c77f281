import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { press, tabTo } from './keyboard.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** Playwright's names for the keys that the README doesn't write as a single letter. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: 'Tab',
  Enter: 'Enter',
  Esc: 'Escape',
  'Ctrl+Enter': 'Control+Enter',
};

/** Returns Playwright's name for a key, or undefined for other text. */
function toPlaywrightKey(text: string): string | undefined {
  if (text.length > 1) return KEYS[text];
  return /[A-Z]/.test(text) ? `Shift+${text}` : text;
}

/** Returns the left column of the README's tour: the input for each step. */
export function readTourSteps(): string[] {
  const [, table = ''] = /\n\| keys \| what you see \|\n\|---\|---\|\n([^]+?)\n\n/.exec(readme) ?? [];
  return table.split('\n').map((line) => line.split(' | ')[0]?.slice(2) ?? '');
}

/**
 * Types a step of the tour without pauses: keys, text, and `Tab` to a control, which `findControl` finds by its label.
 */
export async function followStep(page: Page, step: string, findControl: (label: string) => Locator): Promise<void> {
  for (const [, input = '', label] of step.matchAll(/`([^`]+)`(?: to \*([^*]+)\*)?/g)) {
    const keys = input.split(' ').map(toPlaywrightKey);
    if (label !== undefined) await tabTo(page, findControl(label));
    else if (keys.every((key) => key !== undefined)) await press(page, keys.join(' '));
    else await page.keyboard.type(input);
  }
}
