// Runs random selections against the real server and compares the results with the model of the contract in
// selection-model.ts. The world's tenants share every id, which exposes a missing condition on the organization.
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Health, TimeRangeSchema } from '#proto/gen/hiber/base_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { Modem_Lifecycle, Modem_Type, ModemMessage_Source, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { event } from '#server/db/schema/event.ts';
import { eventMatcher } from '#server/events/filter.ts';
import { readEvents } from '#server/events/stored.ts';
import {
  type DeviceInit,
  type EventInit,
  isVisible,
  type ModemInit,
  namesHiddenDevice,
  selectsDevice,
  selectsEvent,
  selectsModem,
  selectsTag,
  selectsWebhook,
  selectsStreamedEvent,
  type TagInit,
  type WebhookInit,
} from '#server/testkit/selection-model.ts';
import {
  brands,
  CHILD,
  deviceTypes,
  eventTypes,
  HOME,
  identifiers,
  levels,
  openWorld,
  tagIds,
  tagNames,
  tagTypes,
  webhookIds,
  type World,
  type WorldDevice,
} from '#server/testkit/selection-world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.t.close());

const everything = { size: 1000 };

/** Sets only one to three fields, each to a value that can match, so most selections match something. */
function someFields<T extends Record<string, unknown>>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<
  Partial<T>
> {
  return fc
    .subarray(Object.keys(fields), { minLength: 1, maxLength: Math.min(3, Object.keys(fields).length) })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, fields[key] as fc.Arbitrary<unknown>]))))
    .map((record) => record as Partial<T>);
}

const upToTwo = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { maxLength: Math.min(2, values.length) });
const includeExclude = <T>(values: readonly T[]) => someFields({ include: upToTwo(values), exclude: upToTwo(values) });
const idFilter = (values: readonly number[]) => includeExclude(values.map(BigInt));

const tagSelection: fc.Arbitrary<TagInit> = someFields({
  search: upToTwo(['north', '50%', 'e', 'Nothing']),
  names: upToTwo(tagNames),
  types: upToTwo(tagTypes),
  filter: idFilter([...tagIds, 99]),
  associatedWith: idFilter(tagIds),
});

const numbers = fc.subarray(
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `AAAA 000${digit}`),
  { maxLength: 4 },
);
/** Visible devices. Most filters name only these, because naming a hidden device is an error. */
const visibleNumbers = fc.subarray(['AAAA 0001', 'AAAA 0002', 'AAAA 0003', 'AAAA 0004', 'AAAA 0006', 'AAAA 0007'], {
  maxLength: 4,
});
const deviceFilter = someFields({
  include: fc.oneof({ weight: 4, arbitrary: visibleNumbers }, { weight: 1, arbitrary: numbers }),
  exclude: numbers,
});
const gateways = someFields({
  include: fc.constantFrom<string[]>([], ['AAAA 0001'], ['AAAA 0001'], ['AAAA 0005']),
  exclude: fc.constantFrom<string[]>([], ['AAAA 0001'], ['AAAA 0005']),
});
const searchText = fc.constantFrom(
  'probe',
  'old north',
  'AAAA0002',
  'mac-1',
  'of globex',
  '50%',
  'acme',
  'spare',
  '  ',
);
const versions = fc.dictionary(
  fc.constantFrom('probe', 'antenna', 'gps'),
  fc.record({ value: upToTwo(['', '1', '2', '7']) }),
  { maxKeys: 2 },
);
const range = fc
  .tuple(fc.option(fc.integer({ min: 4, max: 12 })), fc.option(fc.integer({ min: 0, max: 4 })))
  .map(([from, to]) => ({
    start: from === null ? undefined : { textual: world.hoursAgo(from).toISOString() },
    end: to === null ? undefined : { textual: world.hoursAgo(to).toISOString() },
  }));
const flag = fc.constant(true);
const lifecycles = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PAUSED,
  Modem_Lifecycle.SPARE,
  Modem_Lifecycle.DEFECTIVE,
];
const types = [Modem_Type.GATEWAY, Modem_Type.SENSOR, Modem_Type.VALVE];

const modemSelection: fc.Arbitrary<ModemInit> = someFields({
  modems: deviceFilter,
  filterByTags: tagSelection,
  withLastMessageIn: range,
  freeTextSearch: searchText,
  lifecycles: upToTwo(lifecycles),
  transfers: fc.constant({ transfersIdentifiers: ['transfer-1'] }),
  connectedToGateways: gateways,
  includeTypes: upToTwo(types),
  excludeTypes: upToTwo(types),
  healthLevels: upToTwo(levels),
  peripheralSelection: fc.oneof(
    fc.record({
      case: fc.constant('peripherals' as const),
      value: someFields({ includeAnd: versions, exclude: versions }),
    }),
    fc.constant({ case: 'onlyWithoutPeripheral' as const, value: true }),
  ),
  deviceTypes: includeExclude(deviceTypes),
  sensorBrands: includeExclude(brands),
  identifiers: includeExclude(identifiers),
  onlyConnectedToGateway: flag,
  notConnectedToGateway: flag,
  onlyActive: flag,
  onlyGateways: flag,
  onlyHasExternalDeviceIds: flag,
  externalDeviceIds: upToTwo(identifiers),
});

const deviceSelection: fc.Arbitrary<DeviceInit> = someFields({
  modems: deviceFilter,
  filterByTags: tagSelection,
  withLastMessageIn: range,
  freeTextSearch: searchText,
  lifecycles: includeExclude(lifecycles),
  withGateways: gateways,
  healthLevel: includeExclude(levels),
  peripherals: fc
    .oneof(
      fc.record({
        case: fc.constant('properties' as const),
        value: someFields({ includeAnd: versions, exclude: versions }),
      }),
      fc.constant({ case: 'includeOnlyEmpty' as const, value: true }),
    )
    .map((selection) => ({ selection })),
  deviceTypes: includeExclude(deviceTypes),
  sensorBrands: includeExclude(brands),
  identifiers: includeExclude(identifiers),
  excludeGateways: flag,
});

const webhookSelection: fc.Arbitrary<WebhookInit> = someFields({
  description: fc.constantFrom('lake', '50%'),
  url: fc.constantFrom('hooks', 'lake', 'nothing'),
  webhooks: someFields({
    include: upToTwo(webhookIds.map(BigInt)),
    exclude: upToTwo(webhookIds.map(BigInt)),
    onlyActive: flag,
  }),
  tags: tagSelection,
  health: upToTwo([Health.OK, Health.ERROR, Health.WARNING]),
  search: fc.constantFrom('pager', 'lake north', '2', 'spare', 'well'),
});

const eventSelection: fc.Arbitrary<EventInit> = someFields({
  events: includeExclude(eventTypes),
  modems: deviceFilter,
  publishers: someFields({
    include: upToTwo(webhookIds.map(BigInt)),
    exclude: upToTwo(webhookIds.map(BigInt)),
    onlyActive: flag,
  }),
  tags: idFilter(tagIds),
  timeRange: range,
  errorsOnly: flag,
  warningsOnly: flag,
  includeResolvedEvents: flag,
  healthLevels: upToTwo(levels),
});

type Outcome = string[] | Code;

/** Returns the items in the response, or the code of the error. */
async function settle(response: Promise<readonly string[]>): Promise<Outcome> {
  try {
    return (await response).toSorted();
  } catch (error) {
    return ConnectError.from(error).code;
  }
}

const keyOf = ({ organization, number }: { organization: string; number: string }) => `${organization}/${number}`;

/**
 * Compares the server with the model, using the same selections on every run. Also requires that many selections match
 * some items but not all, because a server and a model that always return everything, or nothing, would agree.
 *
 * @returns the smallest selection with different results; undefined if there is none
 */
async function findDisagreement<T>(
  selections: fc.Arbitrary<T>,
  total: number,
  expected: (selection: T) => Outcome,
  actual: (selection: T) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const runs = 200;
  let selectiveRuns = 0;
  const property = fc.asyncProperty(selections, async (selection) => {
    const expectedOutcome = expected(selection);
    expect(await settle(actual(selection))).toEqual(expectedOutcome);
    if (typeof expectedOutcome === 'number' || (expectedOutcome.length > 0 && expectedOutcome.length < total))
      selectiveRuns += 1;
  });
  const details = await fc.check(property, { numRuns: runs, seed: 20_261_121 });
  if (details.failed) return fc.defaultReportMessage(details);
  return selectiveRuns > runs / 3
    ? undefined
    : `Only ${selectiveRuns} of ${runs} selections match some items but not all.`;
}

/** Returns the keys of the selected devices, or an error if the selection names a device that the caller cannot see. */
function selectDevices(
  devices: readonly WorldDevice[],
  filters: readonly ({ include?: string[] | undefined } | undefined)[],
  selects: (device: WorldDevice) => boolean,
): Outcome {
  if (namesHiddenDevice(devices, ...filters)) return Code.NotFound;
  return devices.filter(selects).map(keyOf).toSorted();
}

const atHome = () => world.devices.filter(({ organization }) => organization === HOME);
const homeAndChild = () => world.devices.filter(({ organization }) => organization === HOME || organization === CHILD);
const visibleAtHome = () => atHome().filter(isVisible).length;

describe('a selection follows the contract for', () => {
  test('tags', async () => {
    const tags = world.administrator.client(TagService);
    const ownTags = world.tags.filter(({ organization }) => organization === HOME);
    expect(
      await findDisagreement(
        tagSelection,
        ownTags.length,
        (selection) => ownTags.filter((tag) => selectsTag(world, tag, selection)).map(({ id }) => String(id)),
        async (selection) => (await tags.list({ selection })).tags.map(({ id }) => String(id)),
      ),
    ).toBeUndefined();
  });

  test('devices, through ModemService', async () => {
    const modems = world.administrator.client(ModemService);
    expect(
      await findDisagreement(
        modemSelection,
        visibleAtHome(),
        (selection) =>
          selectDevices(atHome(), [selection.modems, selection.connectedToGateways], (device) =>
            selectsModem(world, device, selection),
          ),
        async (selection) => (await modems.list({ selection, pagination: everything })).modems.map(keyOf),
      ),
    ).toBeUndefined();
  });

  test('devices, including child organizations', async () => {
    const modems = world.administrator.client(ModemService);
    expect(
      await findDisagreement(
        modemSelection,
        homeAndChild().filter(isVisible).length,
        (selection) =>
          selectDevices(homeAndChild(), [selection.modems, selection.connectedToGateways], (device) =>
            selectsModem(world, device, selection),
          ),
        async (selection) =>
          (
            await modems.list({ selection, pagination: everything, childOrganizations: { includeAll: true } })
          ).modems.map(keyOf),
      ),
    ).toBeUndefined();
  });

  test('devices', async () => {
    const devices = world.administrator.client(DeviceService);
    expect(
      await findDisagreement(
        deviceSelection,
        visibleAtHome(),
        (selection) =>
          selectDevices(atHome(), [selection.modems, selection.withGateways], (device) =>
            selectsDevice(world, device, selection),
          ),
        async (selection) => (await devices.list({ selection, pagination: everything })).devices.map(keyOf),
      ),
    ).toBeUndefined();
  });

  test('devices counted by tag', async () => {
    const modems = world.administrator.client(ModemService);
    expect(
      await findDisagreement(
        fc.record({
          selection: someFields({ filterByTags: tagSelection, includeTypes: upToTwo(types) }),
          tagSelection,
        }),
        Number.POSITIVE_INFINITY,
        ({ selection, tagSelection: tags }) => {
          const selectedDevices = atHome().filter((device) => selectsModem(world, device, selection));
          return world.tags
            .filter((tag) => tag.organization === HOME && selectsTag(world, tag, tags))
            .map((tag) => `${tag.id}: ${selectedDevices.filter((device) => device.tags.includes(tag)).length}`)
            .toSorted();
        },
        async (request) =>
          (await modems.tagCount(request)).tags.map(({ tag, modems: count }) => `${tag?.id}: ${count}`),
      ),
    ).toBeUndefined();
  });

  test('webhooks', async () => {
    const webhooks = world.administrator.client(WebhookService);
    const ownWebhooks = world.webhooks.filter(({ organization }) => organization === HOME);
    expect(
      await findDisagreement(
        webhookSelection,
        ownWebhooks.length,
        (selection) =>
          ownWebhooks.filter((webhook) => selectsWebhook(world, webhook, selection)).map(({ id }) => String(id)),
        async (selection) => (await webhooks.list({ selection })).webhooks.map(({ id }) => String(id)),
      ),
    ).toBeUndefined();
  });

  test('messages', async () => {
    const messages = world.administrator.client(MessageService);
    const ownMessages = world.messages.filter(({ device }) => device.organization === HOME);
    expect(
      await findDisagreement(
        someFields({ modemSelection, timeRange: range, modemMessageIds: upToTwo([1n, 2n, 5n, 9n]) }),
        ownMessages.length,
        ({ modemSelection: devices = {}, timeRange, modemMessageIds = [] }) => {
          if (namesHiddenDevice(atHome(), devices.modems, devices.connectedToGateways)) return Code.NotFound;
          return ownMessages
            .filter(
              ({ device, id, sentAt }) =>
                selectsModem(world, device, devices) &&
                (modemMessageIds.length === 0 || modemMessageIds.includes(BigInt(id))) &&
                isIn(sentAt, timeRange),
            )
            .map(({ id }) => String(id))
            .toSorted();
        },
        async (selection) =>
          (await messages.list({ selection, pagination: everything })).messages.map(({ messageId }) =>
            String(messageId),
          ),
      ),
    ).toBeUndefined();
  });

  test('messages, by deprecated fields', async () => {
    const modems = world.administrator.client(ModemService);
    const ownMessages = world.messages.filter(({ device }) => device.organization === HOME);
    const timeRange = create(TimeRangeSchema, { end: { textual: 'now' } });
    expect(
      await findDisagreement(
        someFields({
          modems: deviceFilter,
          modemSelection,
          filterBySources: includeExclude(Object.values(ModemMessage_Source)),
        }),
        ownMessages.length,
        ({ modems: deprecatedFilter, modemSelection: devices = {}, filterBySources: sources }) => {
          if (namesHiddenDevice(atHome(), deprecatedFilter, devices.modems, devices.connectedToGateways))
            return Code.NotFound;
          return ownMessages
            .filter(
              ({ device, sources: messageSources }) =>
                selectsModem(world, device, devices) &&
                selectsModem(world, device, { modems: deprecatedFilter }) &&
                (!sources?.include?.length ||
                  messageSources.some((value) => sources.include?.some((item) => item === value))) &&
                !messageSources.some((value) => sources?.exclude?.some((item) => item === value)),
            )
            .map(({ id }) => String(id))
            .toSorted();
        },
        async (selection) =>
          (await modems.messages({ selection: { ...selection, timeRange }, pagination: everything })).messages.map(
            ({ messageId }) => String(messageId),
          ),
      ),
    ).toBeUndefined();
  });

  test('events', async () => {
    const events = world.administrator.client(EventService);
    const ownEvents = world.events.filter(({ organization }) => organization === HOME);
    expect(
      await findDisagreement(
        eventSelection,
        ownEvents.length,
        (selection) => {
          if (namesHiddenDevice(atHome(), selection.modems)) return Code.NotFound;
          if (selection.errorsOnly && selection.warningsOnly) return Code.InvalidArgument;
          return ownEvents
            .filter((worldEvent) => selectsEvent(world, worldEvent, selection))
            .map(({ id }) => `${HOME} ${id}`)
            .toSorted();
        },
        async (selection) =>
          (await events.history({ selection, pagination: everything })).events.map(({ title }) => title),
      ),
    ).toBeUndefined();
  });

  test('streamed events', async () => {
    const where = eq(event.organization, HOME);
    const storedEvents = await readEvents(world.t.app.db.orm, where, {
      orderBy: [asc(event.id)],
      limit: 1000,
      offset: 0,
    });
    const ownEvents = world.events.filter(({ organization }) => organization === HOME);
    const activeIds = world.webhooks
      .filter((webhook) => webhook.organization === HOME && !webhook.disabled)
      .map(({ id }) => id);
    expect(
      await findDisagreement(
        eventSelection.filter(({ errorsOnly, warningsOnly }) => !errorsOnly || !warningsOnly),
        ownEvents.length,
        (selection) =>
          ownEvents
            .filter((worldEvent) => selectsStreamedEvent(world, worldEvent, selection))
            .map(({ id }) => String(id))
            .toSorted(),
        (selection) => {
          const { publishers } = selection;
          const include = (publishers?.include ?? []).map(Number);
          const matches = eventMatcher({
            types: eventTypes.filter(
              (type) =>
                (!selection.events?.include?.length || selection.events.include.includes(type)) &&
                !selection.events?.exclude?.includes(type),
            ),
            devices: { include: selection.modems?.include ?? [], exclude: selection.modems?.exclude ?? [] },
            publishers: {
              include: publishers?.onlyActive
                ? activeIds.filter((id) => include.length === 0 || include.includes(id))
                : include.length > 0
                  ? include
                  : undefined,
              exclude: (publishers?.exclude ?? []).map(Number),
            },
            tags: {
              include: (selection.tags?.include ?? []).map(Number),
              exclude: (selection.tags?.exclude ?? []).map(Number),
            },
            healthLevels: selection.healthLevels ?? [],
            onlyLevel: selection.errorsOnly ? 'Alarm' : selection.warningsOnly ? 'Build up' : undefined,
            start: undefined,
            end: undefined,
            includeResolved: true,
            allLifecycles: false,
          });
          return Promise.resolve(storedEvents.filter(matches).map(({ id }) => String(id)));
        },
      ),
    ).toBeUndefined();
  });
});

function isIn(
  time: Date,
  bounds: { start?: { textual: string } | undefined; end?: { textual: string } | undefined } = {},
): boolean {
  const { start, end } = bounds;
  return (
    (start === undefined || time >= new Date(start.textual)) && (end === undefined || time <= new Date(end.textual))
  );
}
