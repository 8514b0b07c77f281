import { expect, it } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { destinationsOf } from '#commands/registry/destinations.ts';

import { ICONS } from './ScreenIcon.tsx';

it('bundles the icon of every screen in the rail', () => {
  const icons = destinationsOf(registry).flatMap(({ screen }) => screen.rail?.icon ?? []);
  expect(icons.filter((icon) => !ICONS[icon])).toEqual([]);
});
