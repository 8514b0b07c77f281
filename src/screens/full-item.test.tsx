import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { stringifySearch } from '#src/address/address.ts';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { queryClient } from '#src/data/query-client.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll, registry } from '#src/registry/registry.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

import { EntityScreen } from './EntityScreen.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const tab = (id: string) => ({ id, columns: [], limit: 1, load: async () => [], key: String });
  const entity = { ...gadget, detailTabs: [tab('calls'), { ...tab('relays'), appliesTo: () => false }, tab('parts')] };
  return loadersFor({ gadget: { entity, commands: [] } });
});
beforeAll(loadAll);

beforeEach(() => {
  showGadgets();
  const detailTabs = { calls: 'Calls', relays: 'Relays', parts: 'Parts' };
  i18n.addResourceBundle('en', 'gadget', { columns: { name: 'Name' }, detailTabs }, true);
  queryClient.clear();
});
afterEach(cleanup);

const show = (search: Readonly<Record<string, unknown>>) =>
  showAt(`/gadgets${stringifySearch(search)}`, () => <EntityScreen entity={registry().entity('gadget')!} />);
const host = () => store.get(panelHostAtom)!;
const findArticle = (name: string) => screen.findByRole('article', { name });
const tabs = (article: HTMLElement) =>
  within(article)
    .queryAllByRole('tab')
    .map(({ textContent }) => textContent);

test('shows the overview next to the tabs, above the list, and returns to the panel', async () => {
  const href = show({ panel: ['gadget/CCCC DDDD'], full: 'true' });
  const article = await findArticle('South pump');
  within(article).getByRole('region', { name: 'Overview' });
  expect(tabs(article)).toEqual(['Calls', 'Parts']);
  const list = screen.getByRole('region', { name: 'Gadgets', hidden: true });
  expect(list.closest('[inert]')).not.toBeNull();
  expect(document.activeElement).toBe(article.parentElement);

  act(() => host().tab(1));
  await waitFor(() => expect(href()).toContain('tab=parts'));
  act(() => expect(host().back()).toBe(true));
  await waitFor(() => expect(href()).toBe('/gadgets?panel[0]=gadget/CCCC+DDDD&tab=parts'));
  await waitFor(() => expect(list.closest('[inert]')).toBeNull());
  expect(tabs(await findArticle('South pump'))).toEqual(['Overview', 'Calls', 'Parts']);
  act(() => expect(host().back()).toBe(true));
  await waitFor(() => expect(href()).toBe('/gadgets'));
  expect(host().back()).toBe(false);
});

test('stays full screen for the items that open on top, and goes back through them', async () => {
  const href = show({ panel: ['gadget/CCCC DDDD'], full: 'true' });
  await findArticle('South pump');
  act(() => host().openOver('gadget', 'AAAA BBBB'));
  await findArticle('North pump');
  expect(href()).toContain('full=true');
  screen.getByRole('region', { name: 'Overview' });
  act(() => void host().back());
  await findArticle('South pump');
  expect(href()).toContain('full=true');
  expect(host().isFullScreen()).toBe(true);
});

test('shows the panel next to a chart, and closes the chart to fill the screen', async () => {
  const href = show({ panel: ['gadget/CCCC DDDD'], full: 'true', chart: ['pressure'], range: '-7d..now' });
  const article = await findArticle('South pump');
  expect(tabs(article)).toEqual(['Overview', 'Calls', 'Parts']);
  expect(host().isFullScreen()).toBe(false);
  act(() => host().setFullScreen(true));
  await screen.findByRole('region', { name: 'Overview' });
  expect(href()).toBe('/gadgets?panel[0]=gadget/CCCC+DDDD&full=true');
});

test('fills the screen only with an open item, and editing the filter returns to the list', async () => {
  const href = show({});
  await waitFor(() => expect(store.get(tableHostAtom)).toBeDefined());
  act(() => host().setFullScreen(true));
  expect(host().isFullScreen()).toBe(false);
  act(() => host().open('gadget', 'CCCC DDDD'));
  await findArticle('South pump');
  expect(host().shows('gadget', 'CCCC DDDD')).toBe(true);
  expect(host().shows('gadget', 'AAAA BBBB')).toBe(false);
  act(() => host().setFullScreen(true));
  await screen.findByRole('region', { name: 'Overview' });
  act(() => store.get(tableHostAtom)!.editFilter());
  await waitFor(() => expect(href()).not.toContain('full'));
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'));
});

test('explains a missing item full screen', async () => {
  show({ panel: ['gadget/FFFF 0000'], full: 'true' });
  expect(await screen.findByText(/FFFF 0000 here/)).toBeDefined();
});
