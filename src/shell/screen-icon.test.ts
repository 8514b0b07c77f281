import { expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { listDestinations } from '#commands/registry/destinations.ts';

import { ICONS } from './ScreenIcon.tsx';

test('bundles the icon of every screen in the rail', () => {
  const icons = listDestinations(registry).flatMap(({ screen }) => screen.rail?.icon ?? []);
  expect(icons.filter((icon) => !ICONS[icon])).toEqual([]);
});
