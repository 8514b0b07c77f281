import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ChartHost, PanelHost, TimelineHost } from '#commands/model/screen-hosts.ts';
import strings from '#commands/nouns/console/chart/en.json';
import timelineStrings from '#commands/nouns/console/timeline/en.json';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { i18n } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { chartHostAtom, timelineHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { StatusLine } from './StatusLine.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { noun } = await import('#commands/nouns/console/chart/noun.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const { noun: timeline } = await import('#commands/nouns/console/timeline/noun.ts');
  return loadersFor({ gadget: { entity: gadget, commands: [] }, chart: noun, timeline });
});

beforeEach(() => {
  showGadgets();
  i18n.addResourceBundle('en', 'chart', strings);
  i18n.addResourceBundle('en', 'timeline', timelineStrings);
  provide({ chart });
});
afterEach(() => {
  cleanup();
  store.set(chartHostAtom, undefined);
  store.set(timelineHostAtom, undefined);
  provide({ timeline: undefined, panel: undefined });
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

test('the keys of a timeline say what they do while no move is planned', async () => {
  const panel = { isOpen: () => true } as Partial<PanelHost> as PanelHost;
  const hintsFor = async (host: Partial<TimelineHost>, panelHost?: PanelHost): Promise<readonly (string | null)[]> => {
    provide({ timeline: host as TimelineHost, panel: panelHost });
    act(() => store.set(timelineHostAtom, host as TimelineHost));
    const list = within(await screen.findByRole('list', { name: 'Keys' }));
    return (await list.findAllByRole('listitem')).map(({ textContent }) => textContent);
  };
  provide({ chart: undefined });
  showAt('/gadgets', () => <StatusLine session={store.get(userSessionAtom)!} />);
  await screen.findByRole('contentinfo');
  await act(loadAll);
  const idle = await hintsFor({ isMoving: false });
  expect(idle).toContainEqual(expect.stringMatching(/^\S+ Open the device$/));
  expect(idle.filter((hint) => /panel|move/i.test(hint ?? ''))).toEqual([]);
  expect(await hintsFor({ isMoving: false }, panel)).toContainEqual(expect.stringMatching(/^\S+ Close the panel$/));
  const moving = await hintsFor({ isMoving: true }, panel);
  expect(moving).toContainEqual(expect.stringMatching(/^\S+ Move the start$/));
  expect(moving).toContainEqual(expect.stringMatching(/^\S+ Discard the move$/));
});
