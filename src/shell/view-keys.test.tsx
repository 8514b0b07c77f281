import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ChartHost } from '#commands/model/screen-hosts.ts';
import strings from '#commands/nouns/console/chart/en.json';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { i18n } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { provide } from '#src/run/context.ts';
import { chartHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { StatusLine } from './StatusLine.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { noun } = await import('#commands/nouns/console/chart/noun.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({ gadget: { entity: gadget, commands: [] }, chart: noun });
});

beforeEach(() => {
  showGadgets();
  i18n.addResourceBundle('en', 'chart', strings);
  provide({ chart });
});
afterEach(() => {
  cleanup();
  store.set(chartHostAtom, undefined);
});

const chart = {} as ChartHost;

test('the status line shows the keys of a chart while it is on the screen', async () => {
  showAt('/gadgets', () => <StatusLine session={store.get(userSessionAtom)!} />);
  await screen.findByRole('contentinfo');
  expect(screen.queryByRole('list', { name: 'Keys' })).toBeNull();
  act(() => store.set(chartHostAtom, chart));
  const list = within(await screen.findByRole('list', { name: 'Keys' }));
  const hints = (await list.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(hints).toContain('→ Next value');
  expect(hints).toContain('+ Zoom in');
  // Copy has no key.
  expect(hints.some((hint) => hint.includes('Copy'))).toBe(false);
  act(() => store.set(chartHostAtom, undefined));
  expect(screen.queryByRole('list', { name: 'Keys' })).toBeNull();
});
