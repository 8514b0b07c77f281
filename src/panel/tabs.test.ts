import { create } from '@bufbuild/protobuf';
import { beforeAll, expect, test, vi } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { testContext } from '#commands/testkit/context.ts';
import { Modem_Type, ModemSchema } from '#proto/gen/hiber/modem_pb.ts';
import { RoleSchema } from '#proto/gen/hiber/role_pb.ts';
import { loadAll } from '#src/registry/registry.ts';

import { neighborTab, detailTabsOf, tabsFor } from './tabs.ts';

beforeAll(loadAll);

const device = registry.entity('device')!;

test('cycles through the tabs of a panel', () => {
  const abilities = new Set(['VIEW_MESSAGES'] as const);
  const tabs = tabsFor(device, abilities, { isFull: false });
  const last = detailTabsOf(device, abilities).at(-1)?.id;
  expect(neighborTab(tabs, undefined, 1)).toBe('messages');
  expect(neighborTab(tabs, 'overview', -1)).toBe(last);
  expect(neighborTab(tabs, last, 1)).toBe('overview');
});

test('cycles through the tabs of a full screen, which shows the overview elsewhere', () => {
  const tabs = tabsFor(device, new Set(['VIEW_MESSAGES'] as const), { isFull: true });
  const last = tabs.at(-1)?.id;
  expect(tabs[0]?.id).toBe('messages');
  expect(neighborTab(tabs, undefined, 1)).toBe(tabs[1]?.id);
  expect(neighborTab(tabs, 'overview', -1)).toBe(last);
  expect(neighborTab(tabs, last, 1)).toBe('messages');
  expect(neighborTab([], undefined, 1)).toBeUndefined();
});

test('omits a tab that does not apply to the item', () => {
  const abilities = new Set(['VIEW_DEVICES'] as const);
  const idsOf = (type: Modem_Type) => {
    const item = { modem: create(ModemSchema, { type }), level: 'none' };
    return tabsFor(device, abilities, { isFull: false, item }).map(({ id }) => id);
  };
  expect(idsOf(Modem_Type.GATEWAY)).toContain('connectedDevices');
  expect(idsOf(Modem_Type.SENSOR)).not.toContain('connectedDevices');
  const idsBeforeLoad = tabsFor(device, abilities, { isFull: false }).map(({ id }) => id);
  expect(idsBeforeLoad).toEqual(idsOf(Modem_Type.SENSOR));
});

test('lists related items in tabs, with a link to the full list', async () => {
  const tag = registry.entity('tag')!;
  const ids = (...abilities: Ability[]) => detailTabsOf(tag, new Set(abilities)).map(({ id }) => id);
  expect(ids('VIEW_DEVICES', 'PUBLISHERS')).toEqual(['files', 'devices', 'webhooks']);
  expect(ids('VIEW_DEVICES')).toEqual(['files', 'devices']);
  const devices = detailTabsOf(tag, new Set<Ability>(['VIEW_DEVICES'])).find(({ id }) => id === 'devices');
  // A health mark has room for its text, and all columns fit in one line of the panel.
  const widths = devices?.columns.map(({ width }) => width) ?? [];
  expect(widths[0]).toBeGreaterThan(60);
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThan(300);
  expect(devices?.fullList?.({ tag: { id: 12n } })).toEqual({ id: 'device.list', args: { filter: 'tag:#12' } });

  const role = registry.entity('role')!;
  const users = detailTabsOf(role, new Set<Ability>(['VIEW_USERS'])).at(-1);
  const list = vi.spyOn(registry.entity('user')!, 'list').mockResolvedValue({ items: ['one'], total: 60 });
  const viewer = create(RoleSchema, { identifier: 'viewer' });
  const context = testContext({ loadCached: async <T>() => [viewer] as T });
  expect(await users?.load(context, viewer, { page: 1, filterValues: {} })).toEqual(['one']);
  const selection = { users: { roles: { include: ['viewer'] } } };
  expect(list.mock.calls).toMatchObject([[{}, { selection }, { page: 1, size: 50 }]]);
  list.mockResolvedValue({ items: ['one'], total: 60, capped: true });
  expect(await users?.load(context, viewer)).toMatchObject({ 0: 'one', capped: true });
  list.mockRestore();
});

test("lists related items from the item's own organization", async () => {
  const tokens = detailTabsOf(registry.entity('user')!, new Set<Ability>(['MANAGE_TOKENS'])).at(-1);
  expect(tokens?.fullList).toBeUndefined();
  const person = { id: 'u1', name: 'Ann', email: 'ann@south.example' };
  const organizations: unknown[] = [];
  const context = testContext({
    api: (() => ({
      list: async (request: { organization: string }) => {
        organizations.push(request.organization);
        return { users: [person], tokens: [], total: 0 };
      },
    })) as unknown as Context['api'],
  });
  await tokens?.load(context, { user: person, organization: 'south' });
  expect(organizations).toEqual(['south', 'south']);
});

test("skips tabs that the user can't see", () => {
  expect(tabsFor(device, new Set(), { isFull: false }).map(({ id }) => id)).not.toContain('messages');
});
