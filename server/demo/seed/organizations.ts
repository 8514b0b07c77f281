import type { organization } from '#server/db/schema/organization.ts';

import { DEMO_ORGANIZATION, OPERATOR_ORGANIZATION } from './people.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';

type Row = typeof organization.$inferInsert;

/** Organization.Feature numbers. */
const features = { modemCreation: 4, processPoints: 13, locations: 12 };

const firstWords = (
  'Bluewater,Halvorsen,Meridian,Redstone,Silverline,Cascade,Ironbark,Polaris,Saltmarsh,Highland,' +
  'Caspian,Arctic,Lonestar,Delta,Pinnacle,Greenfield,Westerly,Borealis,Copperhead,Summit,Tidewater,' +
  'Eastmoor,Granite,Harbour,Juniper,Keystone,Longreach,Mistral,Oakridge,Prairie,Quarry,Riverbend,' +
  'Sundown,Thornhill,Upland,Valley,Whitecap,Zephyr,Amber,Beacon'
).split(',');
const secondWords = (
  'Resources,Oil & Gas,Energy,Petroleum,Pipelines,Geothermal,Midstream,Drilling,Water,Storage,' +
  'Utilities,Exploration,Hydrogen,Terminals,Production'
).split(',');
const towns = [
  ['Assen', 'Drenthe', 'NL'],
  ['Groningen', 'Groningen', 'NL'],
  ['Aberdeen', 'Scotland', 'GB'],
  ['Stavanger', 'Rogaland', 'NO'],
  ['Midland', 'Texas', 'US'],
  ['Calgary', 'Alberta', 'CA'],
  ['Neuquén', 'Neuquén', 'AR'],
  ['Perth', 'Western Australia', 'AU'],
] as const satisfies readonly (readonly [string, string, string])[];
const contactNames = [
  'Ines Duarte',
  'Lars Holm',
  'Maya Fischer',
  'Noor Jansen',
  'Owen Price',
  'Petra Novak',
  'Samir Haddad',
  'Tess Moore',
] as const;

/** Turns 'Halvorsen Oil & Gas' into 'halvorsen-oil-gas', with only lowercase letters, digits, and dashes (spec 5). */
const toSlug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function organizationRow(random: Random, id: string, displayName: string, parent: Row | undefined, now: Date): Row {
  const [city, state, country] = random.pick(towns);
  const contact = random.pick(contactNames);
  const domain = `${id}.example`;
  const address = {
    lines: [`${random.integer(1, 240)} Harbour Road`],
    zipCode: String(random.integer(10_000, 99_999)),
    city,
    state,
    country,
  };
  return {
    id,
    parent: parent?.id ?? null,
    path: [...(parent?.path ?? []), id],
    displayName,
    features: [features.processPoints, features.locations],
    vatNumber: `${country}${random.integer(100_000_000, 999_999_999)}`,
    address,
    billingName: displayName,
    billingAddress: address,
    contact: {
      name: contact,
      email: `${toSlug(contact)}@${domain}`,
      phone: `+31 50 ${random.integer(100, 999)} ${random.integer(1000, 9999)}`,
    },
    contractSignatureDate: new Date(now.getTime() - random.integer(100, 2500) * 86_400_000).toISOString().slice(0, 10),
    expectedTransmissionRate: 24,
  };
}

export interface SeededOrganizations {
  readonly rows: Row[];
  /** Descendants of the demo's organization, each with its own fleet. */
  readonly branches: string[];
  /** The other organizations. */
  readonly customers: string[];
}

/**
 * Generates the support staff's organization, the demo's organization with its branches, and `count` customers, some of
 * which are children of other customers.
 */
export function seedOrganizations(count: number, now: Date): SeededOrganizations {
  const random = createRandom('organizations');
  const operator = organizationRow(random, OPERATOR_ORGANIZATION, 'Quarterdeck Operations', undefined, now);
  const demo = organizationRow(random, DEMO_ORGANIZATION, 'Northwind Energy', undefined, now);
  demo.features = [features.modemCreation, features.processPoints, features.locations];
  const north = organizationRow(random, 'northwind-north', 'Northwind North', demo, now);
  const branches = [
    north,
    organizationRow(random, 'northwind-offshore', 'Northwind Offshore', demo, now),
    organizationRow(random, 'northwind-permian', 'Northwind Permian', demo, now),
    organizationRow(random, 'northwind-north-trials', 'Northwind North Trials', north, now),
  ];
  const names = random
    .shuffle(firstWords.flatMap((firstWord) => secondWords.map((secondWord) => `${firstWord} ${secondWord}`)))
    .slice(0, count);
  const customers: Row[] = [];
  for (const [index, name] of names.entries()) {
    // Every eighth customer is a child of a customer created shortly before.
    const parent = index % 8 === 7 ? customers[index - random.integer(1, 5)] : undefined;
    customers.push(organizationRow(random, toSlug(name), name, parent?.parent ? undefined : parent, now));
  }
  return {
    rows: [operator, demo, ...branches, ...customers],
    branches: branches.map(({ id }) => id),
    customers: customers.map(({ id }) => id),
  };
}
