import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Modem_Lifecycle, ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization } from '#server/db/schema/organization.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { countDevices } from './count.ts';
import { readModemCriteria } from './criteria.ts';
import { deviceWhere } from './where.ts';

const now = new Date('2026-11-20T12:00:00Z');
const lifecycles = Object.values(Modem_Lifecycle);

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(now);
  const { orm } = database;
  // Both organizations have a device with every number, in each of the lifecycles.
  for (const id of ['acme', 'bravo']) {
    await orm.insert(organization).values({ id, path: [id], displayName: id });
    await orm.insert(healthLevel).values({ organization: id, level: 'Healthy', severity: 1, colorData: {} });
    await orm.insert(tag).values([
      { organization: id, id: 1, name: 'North probes', type: 'group' },
      { organization: id, id: 2, name: 'North wells', type: 'group' },
    ]);
    const items = ['Old probe', 'New probe', 'North gauge'].flatMap((name, index) =>
      lifecycles.map((lifecycle) => ({ name, lifecycle, number: `${index} ${lifecycle}` })),
    );
    await orm
      .insert(device)
      .values(items.map((item) => ({ organization: id, type: 3, healthLevel: 'Healthy', ...item })));
    const links = items.flatMap(({ name, number }) =>
      [...(name === 'Old probe' ? [] : [1]), ...(name === 'New probe' ? [2] : [])].map((link) => ({
        organization: id,
        number,
        tag: link,
      })),
    );
    await orm.insert(deviceTag).values(links);
  }
});
afterAll(() => database.close());

type Selection = MessageInitShape<typeof ModemSelectionSchema>;

async function count(selection: Selection, allLifecycles: boolean, organizations = ['acme']) {
  const scope = { home: 'acme', organizations, allLifecycles };
  const criteria = readModemCriteria(create(ModemSelectionSchema, selection), now);
  const matches = await database.orm.select({ number: device.number }).from(device).where(deviceWhere(scope, criteria));
  return { counted: await countDevices(database.orm, scope, criteria), listed: matches.length };
}

test.each<[string, Selection, number]>([
  // 'North' is in the names of two tags of the same device, and in the name of a device.
  ['a word', { freeTextSearch: 'north' }, 2],
  ['several words, in names and tags', { freeTextSearch: 'probe north PROBE' }, 2],
  ['words that no device has together', { freeTextSearch: 'old north' }, 0],
  ['a word and a lifecycle', { freeTextSearch: 'north', lifecycles: [Modem_Lifecycle.INSTALLED] }, 2],
  ['a word and a tag', { freeTextSearch: 'probe', filterByTags: { filter: { include: [2n] } } }, 1],
  ['nothing', {}, 3],
])('counts the devices that a list by %s contains', async (_, selection, devices) => {
  const perDevice = (all: boolean) => count(selection, all).then(({ counted, listed }) => ({ counted, listed, all }));
  const [some, all] = await Promise.all([perDevice(false), perDevice(true)]);
  expect(some.counted).toBe(some.listed);
  expect(all.counted).toBe(all.listed);
  const shown = selection.lifecycles?.length ?? lifecycles.length - 4;
  expect(some.counted).toBe(devices * shown);
});

test('counts equal numbers of several organizations separately', async () => {
  const { counted, listed } = await count({ freeTextSearch: 'north' }, false, ['acme', 'bravo']);
  expect(counted).toBe(listed);
  expect(counted).toBe(2 * 2 * (lifecycles.length - 4));
});
