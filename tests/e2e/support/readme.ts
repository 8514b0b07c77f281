import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { press, tabTo } from './keyboard.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** Names of keys that are longer than a letter, with Playwright's names. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: 'Tab',
  Enter: 'Enter',
  Esc: 'Escape',
  'Ctrl+Enter': 'Control+Enter',
};

/** Returns Playwright's name for a key; undefined for text. */
function keyOf(typed: string): string | undefined {
  if (typed.length > 1) return KEYS[typed];
  return /[A-Z]/.test(typed) ? `Shift+${typed}` : typed;
}

/** Returns the left column of the README's tour: what to type in each of its steps. */
export function tourSteps(): string[] {
  const [, table = ''] = /\n\| keys \| what you see \|\n\|---\|---\|\n([^]+?)\n\n/.exec(readme) ?? [];
  return table.split('\n').map((line) => line.split(' | ')[0]?.slice(2) ?? '');
}

/**
 * Types a step of the tour without pauses: keys, texts, and `Tab` to a control. `find` finds the control by its label.
 */
export async function followStep(page: Page, step: string, find: (label: string) => Locator): Promise<void> {
  for (const [, typed = '', label] of step.matchAll(/`([^`]+)`(?: to \*([^*]+)\*)?/g)) {
    const keys = typed.split(' ').map(keyOf);
    if (label !== undefined) await tabTo(page, find(label));
    else if (keys.every((key) => key !== undefined)) await press(page, keys.join(' '));
    else await page.keyboard.type(typed);
  }
}
