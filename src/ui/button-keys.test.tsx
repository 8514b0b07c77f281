import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { toKeyHint } from '#src/keymap/format.ts';

import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { ToggleTabs } from './ToggleTabs.tsx';

afterEach(cleanup);

test('keeps keys out of accessible names and announces them as shortcuts', () => {
  const tabs = [{ id: 'all', label: 'All', keys: toKeyHint('1') }];
  render(
    <>
      <Button keys={toKeyHint('t')}>Tag</Button>
      <IconButton label="Clear the filter" keys={toKeyHint('0')} icon={<svg />} />
      <ToggleTabs tabs={tabs} value="all" onValue={() => undefined} label="Views" />
      <Button keys={toKeyHint('c w')}>Create webhook</Button>
    </>,
  );
  const shortcutOf = (name: string): string | null =>
    screen.getByRole('button', { name }).getAttribute('aria-keyshortcuts');
  expect(['Tag', 'Clear the filter', 'All'].map(shortcutOf)).toEqual(['t', '0', '1']);
  const create = screen.getByRole('button', { name: 'Create webhook' });
  expect([create.getAttribute('aria-keyshortcuts'), create.getAttribute('aria-description')]).toEqual([null, 'c w']);
});

test('describes a disabled button with the reason instead of its keys', () => {
  render(
    <Button keys={toKeyHint('c w')} disabledReason="You need access to webhooks.">
      Create webhook
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Create webhook' });
  expect(document.getElementById(button.getAttribute('aria-describedby')!)?.textContent).toBe(
    'You need access to webhooks.',
  );
});
