import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';

import { destinationAt } from '#src/address/paths.ts';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { store } from '#src/state/store.ts';

import { TabStrips } from './TabStrips.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { listCommand } = await import('#commands/kit/standard.ts');
  const { DEVELOPER_TOOLS } = await import('#commands/nouns/tab-groups.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const gadgets = { ...gadget, screen: { path: '/tools/gadgets', tabs: DEVELOPER_TOOLS, key: 'g d' } };
  const tags = { ...gadget, name: 'tag', plural: 'tags', screen: { path: '/tools/tags', tabs: DEVELOPER_TOOLS, key: 'g t' } };
  return loadersFor({
    gadget: { entity: gadgets, commands: [listCommand(gadgets)] },
    tag: { entity: tags, commands: [listCommand(tags)] },
  });
});

afterEach(() => {
  cleanup();
  store.set(overridesAtom, {});
});

it('links the screens of the group with their keys, also the keys that the person chose', async () => {
  showGadgets();
  const href = showAt('/tools/gadgets', () => <TabStrips destination={destinationAt('/tools/gadgets')!} />);
  const strip = within(await screen.findByRole('navigation', { name: 'Developer tools' }));
  const links = () =>
    strip
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('aria-description'), link.getAttribute('aria-current')]);
  expect(links()).toEqual([
    ['Gadgetsg d', 'g d', 'page'],
    ['Tagsg t', 'g t', null],
  ]);
  act(() => store.set(overridesAtom, { 'tag.list': ['z t'] }));
  expect(links()[1]).toEqual(['Tagsz t', 'z t', null]);
  await userEvent.click(strip.getByRole('link', { name: 'Tags' }));
  expect(href()).toBe('/tools/tags');
});
