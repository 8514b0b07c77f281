import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

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
  const noun = (name: string, path: `/${string}`, key: string) => {
    const entity = { ...gadget, name, plural: `${name}s`, screen: { path, tabs: DEVELOPER_TOOLS, key } };
    return { entity, commands: [listCommand(entity)] };
  };
  return loadersFor({
    gadget: noun('gadget', '/tools/gadgets', 'g d'),
    tag: noun('tag', '/tools/tags', 'g t'),
  });
});

afterEach(() => {
  cleanup();
  store.set(overridesAtom, {});
});

test('links to the screens in the group and shows their keys, including custom keys', async () => {
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
