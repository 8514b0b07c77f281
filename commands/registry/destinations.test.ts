import { expect, test } from 'vitest';

import { page } from '#commands/model/page.ts';
import type { Screen } from '#commands/model/screen.ts';
import { ACCOUNTS, DEVELOPER_TOOLS, SETTINGS } from '#commands/nouns/tab-groups.ts';

import {
  listDestinations,
  isEntryFor,
  mayOpen,
  railOf,
  railTitle,
  listTabStrips,
  type Destination,
} from './destinations.ts';
import { createRegistry } from './registry.ts';

function destinations(screens: Readonly<Record<string, Screen>>): readonly Destination[] {
  const pages = Object.entries(screens).map(([name, screen]) =>
    page({ noun: 'gadget', name, screen, changedBy: [], load: async () => ({}), json: (data) => data, sections: [] }),
  );
  return listDestinations(createRegistry([{ commands: [], pages }]));
}

const allDestinations = destinations({
  tags: { path: '/settings/tags', tabs: SETTINGS },
  members: { path: '/settings/accounts', tabs: ACCOUNTS, key: 'g u' },
  roles: { path: '/settings/accounts/roles', tabs: ACCOUNTS },
  about: { path: '/settings/about', tabs: SETTINGS },
  alone: { path: '/alone' },
});
const destinationAt = (path: string): Destination => allDestinations.find(({ screen }) => screen.path === path)!;

test("shows the tabs of a screen's group in registry order, with a nested group as one tab", () => {
  const [settings, ...inner] = listTabStrips(destinationAt('/settings/about'), allDestinations);
  expect(settings?.tabs.map(({ path, current }) => [path, current])).toEqual([
    ['/settings/tags', false],
    ['/settings/accounts', false],
    ['/settings/about', true],
  ]);
  expect(settings?.tabs[1]?.title.key).toBe('common:tabs.accounts');
  expect(inner).toEqual([]);
});

test('shows both tab strips for a screen of a nested group', () => {
  const [settings, accounts] = listTabStrips(destinationAt('/settings/accounts/roles'), allDestinations);
  expect(settings?.tabs.find(({ current }) => current)?.path).toBe('/settings/accounts');
  expect(accounts?.tabs.map(({ path, current }) => [path, current])).toEqual([
    ['/settings/accounts', false],
    ['/settings/accounts/roles', true],
  ]);
});

test('hides a tab strip if all its tabs are in the rail', () => {
  const rail = { icon: 'tag', group: 'data' } as const;
  const withRail = destinations({
    tags: { path: '/settings/tags', tabs: SETTINGS, rail },
    members: { path: '/settings/accounts', tabs: ACCOUNTS, rail: { ...rail, forGroup: true } },
    roles: { path: '/settings/accounts/roles', tabs: ACCOUNTS },
    about: { path: '/settings/about', tabs: SETTINGS, rail },
  });
  const groups = (path: string) =>
    listTabStrips(
      withRail.find(({ screen }) => screen.path === path)!,
      withRail,
    ).map(({ id }) => id);
  expect(groups('/settings/tags')).toEqual([]);
  expect(groups('/settings/accounts/roles')).toEqual(['accounts']);
});

test("links a group's rail entry to its first accessible screen", () => {
  const rail = { icon: 'tag', group: 'developer', forGroup: true } as const;
  const group = { tabs: DEVELOPER_TOOLS, rail } as const;
  const developerTools = destinations({
    webhooks: { path: '/developer-tools/webhooks', ...group },
    tokens: { path: '/developer-tools/tokens', ...group },
    tags: { path: '/settings/tags', tabs: SETTINGS, rail: { icon: 'tag', group: 'data' } },
  });
  const [webhooks, tokens, tags] = developerTools as [Destination, Destination, Destination];
  const paths = (destinations: readonly Destination[]) => destinations.map(({ screen }) => screen.path);
  expect(paths(railOf(developerTools))).toEqual(['/developer-tools/webhooks', '/settings/tags']);
  expect(paths(railOf([tokens, tags]))).toEqual(['/developer-tools/tokens', '/settings/tags']);
  expect(railTitle(webhooks).key).toBe('common:tabs.developer-tools');
  expect([isEntryFor(webhooks, tokens), isEntryFor(tags, tokens), isEntryFor(tags, tags)]).toEqual([true, false, true]);
  const [strip] = listTabStrips(tokens, developerTools);
  expect(strip?.tabs.map(({ path, current }) => [path, current])).toEqual([
    ['/developer-tools/webhooks', false],
    ['/developer-tools/tokens', true],
  ]);
});

test('omits inaccessible screens and shows no tabs for a screen without a group', () => {
  const accessible = allDestinations.filter(({ screen }) => screen.path !== '/settings/accounts');
  const [settings] = listTabStrips(destinationAt('/settings/tags'), accessible);
  expect(settings?.tabs.map(({ path }) => path)).toContain('/settings/accounts/roles');
  expect(listTabStrips(destinationAt('/alone'), allDestinations)).toEqual([]);
  const requirements = { requires: 'VIEW_USERS', features: ['LOCATIONS'] } as const;
  expect(mayOpen(requirements, new Set(['VIEW_USERS']), new Set())).toBe(false);
  expect(mayOpen(requirements, new Set(['VIEW_USERS']), new Set(['LOCATIONS']))).toBe(true);
});
