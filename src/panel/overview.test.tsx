import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { Health, TimestampSchema } from '#proto/gen/hiber/base_pb.ts';
import { TokenSchema } from '#proto/gen/hiber/token_pb.ts';
import { WebhookSchema } from '#proto/gen/hiber/webhook_pb.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { store } from '#src/state/store.ts';
import { showUnsetAtom } from '#src/state/unset.ts';

import { Overview } from './Overview.tsx';

beforeEach(() => loadAllStrings());
afterEach(() => {
  cleanup();
  store.set(showUnsetAtom, false);
});

function show(entity: string, item: unknown): void {
  render(
    <Provider store={store}>
      <Overview entity={registry.entity(entity)!} item={item} />
    </Provider>,
  );
}

const headings = (): readonly (string | null)[] => screen.getAllByRole('heading').map((heading) => heading.textContent);

test('groups the details of a webhook and collapses unset ones', async () => {
  show('webhook', {
    webhook: create(WebhookSchema, { id: 4n, health: Health.OK, data: { url: 'https://example.com/in' } }),
    filterTags: [],
    excludedTags: [],
  });
  expect(headings()).toEqual(['State', 'Delivery', 'What it sends', 'About', expect.stringMatching(/^Not set\d+$/)]);
  expect(screen.queryByText('Signature header')).toBeNull();
  const fold = screen.getByRole('button', { name: /Not set/ });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('Description')).toBeTruthy();
  expect(screen.getAllByLabelText('none').length).toBeGreaterThan(2);
});

test('shows a disabled webhook as disabled without a health mark', () => {
  show('webhook', {
    webhook: create(WebhookSchema, {
      id: 4n,
      health: Health.OK,
      data: { url: 'https://example.com/in', disabled: true },
    }),
    filterTags: [],
    excludedTags: [],
  });
  const state = screen.getByRole('region', { name: 'State' });
  expect(within(state).getAllByText('Disabled')).toHaveLength(1);
  expect(within(state).queryByText('OK')).toBeNull();
  expect(state.querySelector('svg')).toBeNull();
});

test('lists the expiry of an expired token first', () => {
  const timestamp = (ms: number) => create(TimestampSchema, { timestamp: timestampFromMs(ms) });
  show('token', create(TokenSchema, { id: 1n, name: 'laptop', expiresAt: timestamp(Date.now() - 60_000) }));
  const first = screen.getByRole('region', { name: 'State' }).querySelector('dt');
  expect(first?.textContent).toBe('Expires');
  expect(document.querySelector('time')?.className).toContain('text-error-text');
});
