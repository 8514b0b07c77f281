import { create } from '@bufbuild/protobuf';
import { expect, it, vi } from 'vitest';

import { RoleSchema } from '#proto/gen/hiber/role_pb.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import { testContext } from '#commands/testkit/context.ts';

import { neighbourTab, detailTabsOf } from './tabs.ts';

const device = registry.entity('device')!;

it('walks the tabs of a panel around their ends', () => {
  const all = new Set(['VIEW_MESSAGES'] as const);
  expect(neighbourTab(device, all, undefined, 1)).toBe('messages');
  expect(neighbourTab(device, all, 'overview', -1)).toBe(detailTabsOf(device, all).at(-1)?.id);
  expect(neighbourTab(device, all, detailTabsOf(device, all).at(-1)?.id, 1)).toBe('overview');
});

it('lists the items of other entities by a filter, and goes to all of them', async () => {
  const tag = registry.entity('tag')!;
  const ids = (...held: Ability[]) => detailTabsOf(tag, new Set(held)).map(({ id }) => id);
  expect(ids('VIEW_DEVICES', 'PUBLISHERS')).toEqual(['devices', 'webhooks']);
  expect(ids('VIEW_DEVICES')).toEqual(['devices']);
  const [devices] = detailTabsOf(tag, new Set<Ability>(['VIEW_DEVICES']));
  // Room for a mark with its word, and for all of them in one line of a panel.
  const widths = devices?.columns.map(({ width }) => width) ?? [];
  expect(widths[0]).toBeGreaterThan(60);
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThan(300);
  expect(devices?.elsewhere?.({ tag: { id: 12n } })).toEqual({ id: 'device.list', args: { filter: 'tag:#12' } });

  const role = registry.entity('role')!;
  const users = detailTabsOf(role, new Set<Ability>(['VIEW_USERS'])).at(-1);
  const list = vi.spyOn(registry.entity('user')!, 'list').mockResolvedValue({ items: ['one'], total: 60 });
  const viewer = create(RoleSchema, { identifier: 'viewer' });
  const context = testContext({ cached: async <T>() => [viewer] as T });
  expect(await users?.load(context, viewer, { page: 1, narrow: {} })).toEqual(['one']);
  const selection = { users: { roles: { include: ['viewer'] } } };
  expect(list.mock.calls).toMatchObject([[{}, { selection }, { page: 1, size: 50 }]]);
  list.mockRestore();
});

it('lists items of the organization that an item is of', async () => {
  const tokens = detailTabsOf(registry.entity('user')!, new Set<Ability>(['MANAGE_TOKENS'])).at(-1);
  expect(tokens?.elsewhere).toBeUndefined();
  const person = { id: 'u1', name: 'Ann', email: 'ann@south.example' };
  const asked: unknown[] = [];
  const context = testContext({
    api: (() => ({
      list: async (request: { organization: string }) => {
        asked.push(request.organization);
        return { users: [person], tokens: [], total: 0 };
      },
    })) as unknown as Context['api'],
  });
  await tokens?.load(context, { user: person, organization: 'south' });
  expect(asked).toEqual(['south', 'south']);
});

it('skips what a person may not see', () => {
  expect(neighbourTab(device, new Set(), undefined, 1)).not.toBe('messages');
});
