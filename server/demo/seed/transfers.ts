import type { Tx } from '#server/db/database.ts';
import { recordTransfer } from '#server/domains/fleet/transfer/record.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

import type { Fleet } from './fleet.ts';
import { DEMO_ORGANIZATION } from './people.ts';

const HOUR = 3_600_000;

interface PastTransfer {
  readonly sender: string;
  readonly recipient: string;
  readonly comment: string;
  readonly devices: number;
  readonly hoursAgo: number;
}

const pastTransfers = (customer: string): readonly PastTransfer[] => [
  {
    sender: customer,
    recipient: DEMO_ORGANIZATION,
    comment: 'Bought with the Eastmoor pads',
    devices: 12,
    hoursAgo: 310,
  },
  {
    sender: DEMO_ORGANIZATION,
    recipient: 'northwind-permian',
    comment: 'Spares for Midland',
    devices: 4,
    hoursAgo: 236,
  },
  { sender: 'northwind-offshore', recipient: DEMO_ORGANIZATION, comment: '', devices: 1, hoursAgo: 170 },
  {
    sender: DEMO_ORGANIZATION,
    recipient: 'northwind-north',
    comment: 'Pressure trial, phase 2',
    devices: 8,
    hoursAgo: 98,
  },
  { sender: 'northwind-north', recipient: DEMO_ORGANIZATION, comment: 'Back from the trial', devices: 3, hoursAgo: 41 },
  { sender: DEMO_ORGANIZATION, recipient: customer, comment: 'Repaired under warranty', devices: 2, hoursAgo: 20 },
];

/** Records transfers to and from the demo organization. Their devices are some of those that the recipients have. */
export async function seedTransfers(tx: Tx, fleets: readonly Fleet[], customer: string, now: Date): Promise<void> {
  const taken = new Map<string, number>();
  for (const [index, { sender, recipient, comment, devices: count, hoursAgo }] of pastTransfers(customer).entries()) {
    const fleet = fleets.find(({ devices }) => devices[0]?.organization === recipient);
    const start = taken.get(recipient) ?? 0;
    taken.set(recipient, start + count);
    const devices = (fleet?.devices ?? [])
      .filter(({ lifecycle }) => !isHidden(lifecycle))
      .slice(start, start + count)
      .map(({ number }) => ({ number, hidden: false }));
    if (devices.length === 0) continue;
    const createdAt = new Date(now.getTime() - hoursAgo * HOUR);
    const identifier = `transfer-${String(index + 1).padStart(20, '0')}`;
    await recordTransfer(tx, { identifier, sender, recipient, comment, createdAt }, devices, []);
  }
}
