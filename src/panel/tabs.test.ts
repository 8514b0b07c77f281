import { expect, it } from 'vitest';

import { registry } from '#commands/all';

import { neighbourTab, relatedFor } from './tabs.ts';

const device = registry.entity('device')!;

it('walks the tabs of a panel around their ends', () => {
  const all = new Set(['VIEW_MESSAGES'] as const);
  expect(neighbourTab(device, all, undefined, 1)).toBe('messages');
  expect(neighbourTab(device, all, 'overview', -1)).toBe(relatedFor(device, all).at(-1)?.id);
  expect(neighbourTab(device, all, relatedFor(device, all).at(-1)?.id, 1)).toBe('overview');
});

it('skips what a person may not see', () => {
  expect(neighbourTab(device, new Set(), undefined, 1)).not.toBe('messages');
});
