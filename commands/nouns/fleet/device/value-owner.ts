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

/** Returns the usual time between two messages, in ms. */
export function deviceInterval({ modem: { transmissionInterval, expectedTransmissionRate } }: Device) {
  const rate = expectedTransmissionRate?.value ?? 0;
  return (toSeconds(transmissionInterval) ?? 0) * 1000 || (rate > 0 ? DAY / rate : undefined);
}

export function deviceOwner(item: Device): ValueOwner {
  const { number, name, organization } = item.modem;
  const interval = deviceInterval(item);
  return {
    entity: 'device',
    id: number,
    name: name || number,
    organization,
    selection: selectDevices([number]),
    devices: [number],
    ...(interval === undefined ? {} : { interval }),
  };
}
