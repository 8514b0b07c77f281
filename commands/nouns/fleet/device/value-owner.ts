import type { ValueOwner, ValueOwners } from '#commands/model/values.ts';
import { toSeconds } from '#commands/model/wire.ts';

import type { Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

const DAY = 86_400_000;

/** Selects the values of devices, in any lifecycle. */
export const selectDevices = (numbers: readonly string[]): ValueOwners => ({
  case: 'devices',
  value: { modems: { include: [...numbers] }, lifecycles: ALL_LIFECYCLES },
});

export function deviceOwner({ modem }: Device): ValueOwner {
  const { number, name, organization, transmissionInterval, expectedTransmissionRate } = modem;
  const rate = expectedTransmissionRate?.value ?? 0;
  const interval = (toSeconds(transmissionInterval) ?? 0) * 1000 || (rate > 0 ? DAY / rate : 0);
  return {
    entity: 'device',
    id: number,
    name: name || number,
    organization,
    selection: selectDevices([number]),
    devices: [number],
    ...(interval > 0 ? { interval } : {}),
  };
}
