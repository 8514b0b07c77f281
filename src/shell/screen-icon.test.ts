import { expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { destinationsOf } from '#commands/registry/destinations.ts';

import { ICONS } from './ScreenIcon.tsx';

test('bundles the icon of every screen in the rail', () => {
  const icons = destinationsOf(registry).flatMap(({ screen }) => screen.rail?.icon ?? []);
  expect(icons.filter((icon) => !ICONS[icon])).toEqual([]);
});
