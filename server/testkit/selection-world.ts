/**
 * Data for tests of selections: two tenants and a child of the first. The tenants have the same ids for devices, tags,
 * webhooks, messages, and events. The child has the same tag and webhook ids.
 */
import { create, toBinary } from '@bufbuild/protobuf';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle, Modem_Type } from '#proto/gen/hiber/modem_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { message } from '#server/db/schema/message.ts';
import { organization } from '#server/db/schema/organization.ts';
import { deviceTag, tag, webhookTag } from '#server/db/schema/tag.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';

import { createIdToken, startTestServer, type TestCaller, type TestServer } from './server.ts';

export const HOME = 'acme';
export const CHILD = 'acme-north';
const OTHER = 'globex';
const tenants = [HOME, CHILD, OTHER] as const;

export const levels = ['Healthy', 'Build up', 'Alarm'];
export const tagIds = [1, 2, 3, 4, 5, 6];
export const webhookIds = [1, 2, 3, 4];
export const tagNames = ['North', 'South', 'North well', 'Pump 50%', 'Needs visit', 'Spare'];
export const tagTypes = ['site', 'site', 'well', 'group', 'group', 'production_area'];
export const brands = ['Sensara', 'Gatewise', 'Nobody'];
export const deviceTypes = ['pressure-1', 'level-2', 'none-3'];
export const identifiers = ['mac-1', 'mac-2', 'mac-3'];
export const eventTypes = [EventType.DEVICE_UPDATED, EventType.ALARM_TRIGGERED, EventType.PUBLISHER_FAILED];

export interface WorldTag {
  readonly organization: string;
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

export interface WorldDevice {
  readonly organization: string;
  readonly number: string;
  readonly name: string;
  readonly type: number;
  readonly lifecycle: number;
  readonly healthLevel: string;
  readonly gateway: string | null;
  readonly gatewayBrand: string | null;
  readonly sensorBrand: string;
  readonly deviceType: string;
  readonly externalIds: string[];
  readonly peripherals: Record<string, string>;
  readonly lastMessageReceivedAt: Date | null;
  readonly tags: WorldTag[];
}

export interface WorldWebhook {
  readonly organization: string;
  readonly id: number;
  readonly description: string;
  readonly url: string;
  readonly disabled: boolean;
  readonly lastCallFailed: boolean;
  readonly tags: WorldTag[];
}

export interface WorldMessage {
  readonly device: WorldDevice;
  readonly id: number;
  readonly sentAt: Date;
  readonly sources: number[];
}

export interface WorldEvent {
  readonly organization: string;
  readonly id: number;
  readonly time: Date;
  readonly type: EventType;
  readonly number: string | null;
  readonly publisher: number | null;
  readonly tags: number[];
  readonly healthLevel: string | null;
  readonly resolved: boolean;
}

export interface World {
  readonly t: TestServer;
  readonly administrator: TestCaller;
  readonly tags: WorldTag[];
  readonly devices: WorldDevice[];
  readonly webhooks: WorldWebhook[];
  readonly messages: WorldMessage[];
  readonly events: WorldEvent[];
  /** Returns the time that is the given number of hours before the creation of the world. */
  hoursAgo(hours: number): Date;
}

/** Returns the row to insert. Its links to tags are separate rows. */
function withoutTags<T extends { tags: WorldTag[] }>(t: T): Omit<T, 'tags'> {
  const { tags: _tags, ...row } = t;
  return row;
}

const itemAt = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Creates the world on its own server, with an administrator of `HOME` as the caller. */
export async function openWorld(): Promise<World> {
  const t = await startTestServer({ isEmpty: true });
  const { orm } = t.app.db;
  const start = Math.floor(t.app.now().getTime() / 1000) * 1000;
  const hoursAgo = (hours: number) => new Date(start - hours * 3_600_000);
  const tags = tenants.flatMap((id, shift) => createTags(id, shift));
  const devices = tenants.flatMap((id, shift) => createDevices(id, shift, tags, hoursAgo));
  const webhooks = tenants.flatMap((id, shift) => createWebhooks(id, shift, tags));
  const messages = [HOME, OTHER].flatMap((id) =>
    createMessages(
      devices.filter((device) => device.organization === id),
      hoursAgo,
    ),
  );
  const events = [HOME, OTHER].flatMap((id, shift) => createEvents(id, shift, devices, hoursAgo));

  await orm.insert(organization).values([
    { id: HOME, path: [HOME], displayName: 'Acme' },
    { id: CHILD, parent: HOME, path: [HOME, CHILD], displayName: 'Acme North' },
    { id: OTHER, path: [OTHER], displayName: 'Globex' },
  ]);
  await orm
    .insert(healthLevel)
    .values(
      tenants.flatMap((id) =>
        levels.map((level, index) => ({ organization: id, level, severity: index + 1, colorData: {} })),
      ),
    );
  await orm.insert(tag).values(tags);
  await orm.insert(device).values(devices.map(withoutTags));
  await orm
    .insert(deviceTag)
    .values(
      devices.flatMap(({ tags: tagIds, organization: id, number }) =>
        tagIds.map((tag) => ({ organization: id, number, tag: tag.id })),
      ),
    );
  await insertWebhooks(orm, webhooks.map(withoutTags));
  await orm
    .insert(webhookTag)
    .values(
      webhooks.flatMap(({ tags: tagIds, organization: id, id: number }) =>
        tagIds.map((tag) => ({ organization: id, webhook: number, tag: tag.id })),
      ),
    );
  await orm.insert(message).values(
    messages.map(({ device: { organization: id, number }, id: messageId, sentAt, sources }) => ({
      organization: id,
      number,
      id: messageId,
      sentAt,
      receivedAt: sentAt,
      body: Uint8Array.of(messageId),
      sources,
    })),
  );
  await orm.insert(event).values(
    events.map(({ resolved, ...row }) => ({
      ...row,
      title: `${row.organization} ${row.id}`,
      description: '',
      resolvedAt: resolved ? row.time : null,
      body: toBinary(EventSchema, create(EventSchema, { type: row.type, title: `${row.organization} ${row.id}` })),
    })),
  );
  const person = { id: 'ann', email: 'ann@acme.example', name: 'Ann' };
  await orm.insert(appUser).values({ ...person, defaultOrganization: HOME });
  await orm.insert(membership).values({ organization: HOME, userId: person.id, roles: ['administrator'] });
  return {
    t,
    administrator: t.with(createIdToken(person)),
    tags,
    devices,
    webhooks,
    messages,
    events,
    hoursAgo: hoursAgo,
  };
}

/** Returns the same names, types, and ids for every tenant, but in different combinations. */
const createTags = (organizationId: string, shift: number): WorldTag[] =>
  tagIds.map((id, index) => ({
    organization: organizationId,
    id,
    name: itemAt(tagNames, index + 2 * shift),
    type: itemAt(tagTypes, index + 2 * shift),
  }));

/** The lifecycles of the devices, some of them hidden. */
const lifecycles = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PAUSED,
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.DEFECTIVE,
  Modem_Lifecycle.SPARE,
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.DECOMMISSIONED,
  Modem_Lifecycle.INSTALLED,
];

/** The tag ids of each device. Tags 4 and 6 occur together only on a hidden device. */
const tagSets = [[], [1, 3], [2], [1, 5], [4, 6], [5], [2, 3], [6], [4]];

const peripheralSets: readonly Record<string, string>[] = [
  {},
  { probe: '1', antenna: '' },
  { probe: '2' },
  {},
  { probe: '1' },
  {},
  { antenna: '7' },
  {},
  {},
];

function createDevices(
  organizationId: string,
  shift: number,
  tags: readonly WorldTag[],
  ago: (hours: number) => Date,
): WorldDevice[] {
  const prefix = organizationId === CHILD ? 'BBBB' : 'AAAA';
  return lifecycles.map((_, index) => {
    const isGateway = index === 0 || index === 4;
    const ids = itemAt(tagSets, index + shift);
    return {
      organization: organizationId,
      number: `${prefix} 000${index + 1}`,
      name: `${itemAt(['Probe', 'Old probe', 'Tank'], index + shift)} ${index} of ${organizationId}`,
      type: isGateway ? Modem_Type.GATEWAY : index === 8 ? Modem_Type.VALVE : Modem_Type.SENSOR,
      // The same number is hidden in one tenant and visible in the other.
      lifecycle: itemAt(lifecycles, index + (organizationId === OTHER ? 1 : 0)),
      healthLevel: itemAt(levels, index + shift),
      gateway: isGateway || index % 4 === 3 ? null : `${prefix} 000${index % 2 === 0 ? 1 : 5}`,
      gatewayBrand: isGateway ? 'Gatewise' : null,
      sensorBrand: index % 3 === 1 ? 'Sensara' : '',
      deviceType: itemAt(['pressure-1', 'level-2', ''], index + shift),
      externalIds: itemAt([[], ['mac-1'], ['mac-2', 'mac-1']], index + shift),
      peripherals: itemAt(peripheralSets, index + shift),
      lastMessageReceivedAt: index % 3 === 2 ? null : ago(index + shift + 1),
      tags: tags.filter((tag) => tag.organization === organizationId && ids.includes(tag.id)),
    };
  });
}

function createWebhooks(organizationId: string, shift: number, tags: readonly WorldTag[]): WorldWebhook[] {
  const sets = [[1], [3, 4], [], [2, 6]];
  return webhookIds.map((id, index) => ({
    organization: organizationId,
    id,
    description: itemAt(['Pager 50%', 'Lake', ''], index + shift),
    url: `https://${itemAt(['hooks', 'lake', 'pager'], index + shift)}.example/${id}`,
    disabled: (index + shift) % 3 === 2,
    lastCallFailed: (index + shift) % 4 === 1,
    tags: tags.filter((tag) => tag.organization === organizationId && itemAt(sets, index + shift).includes(tag.id)),
  }));
}

const createMessages = (devices: readonly WorldDevice[], ago: (hours: number) => Date): WorldMessage[] =>
  Array.from({ length: 24 }, (_, index) => ({
    device: itemAt(devices, index * 5 + (itemAt(devices, 0).organization === HOME ? 0 : 2)),
    id: index + 1,
    sentAt: ago(index + 0.5),
    sources: itemAt([[0], [1], [2, 0], [3]], index),
  }));

function createEvents(
  organizationId: string,
  shift: number,
  devices: readonly WorldDevice[],
  ago: (hours: number) => Date,
): WorldEvent[] {
  const organizationDevices = devices.filter((device) => device.organization === organizationId);
  return Array.from({ length: 30 }, (_, index) => {
    const type = itemAt(eventTypes, index + shift);
    const candidate = itemAt(organizationDevices, index * 2 + shift);
    const device = type === EventType.PUBLISHER_FAILED ? null : candidate;
    return {
      organization: organizationId,
      id: index + 1,
      time: ago(index + 0.5),
      type,
      number: device?.number ?? null,
      publisher: device === null ? itemAt(webhookIds, index + shift) : null,
      tags: device === null ? itemAt([[1], [], [4, 6]], index) : device.tags.map(({ id }) => id),
      healthLevel: itemAt([null, 'Alarm', 'Build up', 'Healthy'], index + shift),
      resolved: index % 5 === 4,
    };
  });
}
