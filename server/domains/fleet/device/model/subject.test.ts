import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization as organizations } from '#server/db/schema/organization.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { loadDeviceTags } from './subject.ts';

const organization = 'acme';
const number = 'AAAA 0001';
const names = [
  'zebra',
  'Zoë',
  'Zoe',
  'äpfel',
  'Apfel',
  'apfel',
  'Øre',
  'tag 10',
  'tag 9',
  '_x',
  '-x',
  'x y',
  'xy',
  'Ж',
];

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase(new Date('2026-11-20T12:00:00Z'));
  await db.orm.insert(organizations).values({ id: organization, path: [organization], displayName: 'Acme' });
  await db.orm.insert(healthLevel).values({ organization, level: 'Healthy', severity: 1, colorData: { text: '' } });
  await db.orm
    .insert(device)
    .values({ organization, number, name: 'A', type: 3, lifecycle: 1, healthLevel: 'Healthy' });
  await db.orm.insert(tag).values(names.map((name, index) => ({ organization, id: index + 1, name, type: 'site' })));
  await db.orm.insert(deviceTag).values(names.map((_, index) => ({ organization, number, tag: index + 1 })));
});
afterAll(() => db.close());

test('sorts tags by name as the database does', async () => {
  const tags = (await loadDeviceTags(db.orm, organization, [number])).get(number);
  const sorted = await db.orm.select({ name: tag.name }).from(tag).orderBy(tag.name, tag.id);
  expect(tags?.map(({ name }) => name)).toEqual(sorted.map(({ name }) => name));
});
