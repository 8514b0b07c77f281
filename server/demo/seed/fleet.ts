import type { device } from '#server/db/schema/device.ts';
import type { deviceTag, tag } from '#server/db/schema/tag.ts';
import { HEALTHY } from '#server/domains/people/organization/default-health-levels.ts';

import { gateway, type Instrument, valve, wellInstruments, WELLS_PER_GATEWAY } from './instruments.ts';
import { type Area, areas, siteNames } from './places.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';

export type DeviceRow = typeof device.$inferInsert & { numericValueTypes: number[]; metadata: Record<string, unknown> };
export type TagRow = typeof tag.$inferInsert;

export interface Fleet {
  readonly tags: TagRow[];
  readonly devices: DeviceRow[];
  readonly deviceTags: (typeof deviceTag.$inferInsert)[];
  /** The placement of each device, in order. */
  readonly placements: Placement[];
}

/** A device's place at a well. */
export interface Placement {
  readonly instrument: Instrument;
  readonly well: string;
  /** The ids of the tags for the area, the site, and the well. */
  readonly tags: readonly number[];
}

const DAY = 86_400_000;
/** Valve.HighPressureLineStatus. */
const PRESSURIZED = 1;
const firmwares = ['1.8.3', '1.8.3', '1.8.3', '1.8.1', '1.7.9', '1.4.12', '1.4.6'] as const;
/** The contract has no fields for the owner and the battery type, so devices have them in their metadata. */
const OWNER = 'Northwind Energy';
const BATTERY_TYPE = 'Li-SOCl2, 3.6 V';
const sampleNotes = [
  'Cable gland replaced, keep an eye on moisture.',
  'Reads about 0.4 bar high compared with the hand gauge.',
  'Mounted on the west side of the skid; ladder needed.',
  'Access through gate 2 only, call the site first.',
  'Antenna moved above the handrail in spring.',
  'Bracket is loose, fix at the next visit.',
] as const;

/** Creates a source of device numbers, which are unique in the whole installation (contract: identifiers). */
export function createNumberSource(): () => string {
  const random = createRandom('device numbers');
  const assignedNumbers = new Set<string>();
  return () => {
    for (;;) {
      const hex = random.integer(0, 0xff_ff_ff_ff).toString(16).toUpperCase().padStart(8, '0');
      const number = `${hex.slice(0, 4)} ${hex.slice(4)}`;
      if (assignedNumbers.has(number)) continue;
      assignedNumbers.add(number);
      return number;
    }
  };
}

/**
 * Builds `count` healthy, installed devices for an organization, with the tags of their wells, sites, and production
 * areas. Several wells share a gateway. A larger fleet has more sites, up to a limit, and then more wells per site.
 */
export function buildFleet(organization: string, count: number, nextNumber: () => string, now: Date): Fleet {
  const random = createRandom(`fleet of ${organization}`);
  const fleet: Fleet = { tags: [], devices: [], deviceTags: [], placements: [] };
  const tagId = createTagSource(fleet, organization);
  const groups = Math.ceil(count / (wellInstruments.length * WELLS_PER_GATEWAY + 1));
  const sites = siteNames.slice(0, Math.max(1, Math.ceil(groups / 4))).map((name, index) => {
    const area = areas[index % areas.length] ?? areas[0];
    return { name, area, ...randomPoint(random, area), wells: 0 };
  });
  let siteIndex = 0;
  while (fleet.devices.length < count) {
    const site = sites[siteIndex % sites.length];
    if (site === undefined) break;
    siteIndex += 1;
    const sharedTags = [tagId('production_area', site.area.name), tagId('site', `${site.name} pad`)];
    const relay = nextNumber();
    const wells = Array.from({ length: WELLS_PER_GATEWAY }, () => `${site.name} ${(site.wells += 1)}`);
    const add = (instrument: Instrument, well: string) => {
      if (fleet.devices.length >= count) return;
      const isGateway = instrument === gateway;
      const number = isGateway ? relay : nextNumber();
      fleet.devices.push(
        deviceRow(random, now, { organization, number, instrument, well, site, relay: isGateway ? null : relay }),
      );
      const tags = [...sharedTags, tagId('well', well)];
      fleet.placements.push({ instrument, well, tags });
      for (const id of [...tags, ...randomGroupTags(random, tagId)]) {
        fleet.deviceTags.push({ organization, number, tag: id });
      }
    };
    add(gateway, wells[0] ?? site.name);
    for (const well of wells) {
      const instruments = random.chance(0.25) ? [...wellInstruments.slice(0, -1), valve] : wellInstruments;
      for (const instrument of instruments) add(instrument, well);
    }
  }
  return fleet;
}

/**
 * Creates tags on first use, with ids counting up from 1. The priorities sort areas first, then sites, then the rest.
 */
function createTagSource(fleet: Fleet, organization: string): (type: string, name: string) => number {
  const ids = new Map<string, number>();
  const priorities: Record<string, number> = { production_area: 20, site: 10 };
  return (type, name) => {
    const existingId = ids.get(`${type}/${name}`);
    if (existingId !== undefined) return existingId;
    const id = ids.size + 1;
    ids.set(`${type}/${name}`, id);
    fleet.tags.push({ organization, id, name, type, priority: priorities[type] ?? 0 });
    return id;
  };
}

/** Draws tags like the ones users add by hand. */
function randomGroupTags(random: Random, tagId: (type: string, name: string) => number): number[] {
  const labels = [
    [0.06, 'Winterized'],
    [0.04, 'High pressure'],
    [0.03, 'Plug and abandon 2027'],
    [0.02, 'Contract Halvorsen'],
  ] as const;
  return labels.filter(([probability]) => random.chance(probability)).map(([, name]) => tagId('group', name));
}

function randomPoint(
  random: Random,
  { latitude, longitude, halfExtent }: Area,
): { latitude: number; longitude: number } {
  return {
    latitude: roundToMeter(latitude + random.between(-halfExtent, halfExtent)),
    longitude: roundToMeter(longitude + random.between(-halfExtent, halfExtent)),
  };
}

/** Rounds to about a meter. */
const roundToMeter = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

interface NewDevice {
  readonly organization: string;
  readonly number: string;
  readonly instrument: Instrument;
  readonly well: string;
  readonly site: { area: Area; latitude: number; longitude: number };
  readonly relay: string | null;
}

function deviceRow(
  random: Random,
  now: Date,
  { organization, number, instrument, well, site, relay }: NewDevice,
): DeviceRow {
  const installedAt = new Date(now.getTime() - random.integer(30, 1500) * DAY);
  const replacedAt = random.chance(0.3)
    ? new Date(installedAt.getTime() + random.next() * (now.getTime() - installedAt.getTime()))
    : null;
  const isGateway = instrument === gateway;
  return {
    organization,
    number,
    name: `${instrument.measures}, ${well}`,
    type: instrument.type,
    lifecycle: 1,
    healthLevel: HEALTHY,
    gateway: relay,
    gatewayBrand: isGateway ? instrument.brand : null,
    sensorBrand: isGateway ? '' : instrument.brand,
    deviceType: instrument.deviceType,
    peripherals: { ...instrument.peripherals },
    gps: isGateway,
    notes: random.chance(0.08) ? random.pick(sampleNotes) : '',
    secureNotes: random.chance(0.02) ? `Gate code ${random.integer(1000, 9999)}.` : '',
    metadata: {
      firmware: random.pick(firmwares),
      rebootCounter: random.integer(0, 9),
      owner: OWNER,
      ...(isGateway ? {} : { batteryType: BATTERY_TYPE }),
      // The simulator uses this to create payloads.
      profile: instrument.profile,
    },
    latitude: roundToMeter(site.latitude + random.between(-0.012, 0.012)),
    longitude: roundToMeter(site.longitude + random.between(-0.012, 0.012)),
    timeZone: site.area.timeZone,
    transmissionInterval: 86_400 / instrument.rate,
    expectedTransmissionRate: instrument.rate,
    numericValueTypes: [...instrument.numericValueTypes],
    externalIds: isGateway ? [] : [`0004A30B${number.replace(' ', '')}`],
    frequency: isGateway ? null : site.area.frequency,
    batteryReplacedAt: isGateway ? null : replacedAt,
    valveOpen: instrument === valve ? random.chance(0.8) : null,
    valveLineStatus: instrument === valve ? PRESSURIZED : null,
    hardwareProductionBatch: `B${random.integer(19, 25)}-${random.integer(1, 52)}`,
    manufacturer: instrument.brand,
    requiredFirmware: null,
    lastMessageId: null,
    lastMessageSentAt: null,
    lastMessageReceivedAt: null,
    lastMessageBody: null,
    createdAt: installedAt,
    updatedAt: installedAt,
  };
}
