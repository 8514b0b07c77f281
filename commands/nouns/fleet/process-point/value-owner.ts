import type { ValueOwner, ValueOwners } from '#commands/model/values.ts';

import { idOf, nameOf, type PointItem } from './item.ts';

const DAY = 86_400_000;

export const selectPoints = (identifiers: readonly string[]): ValueOwners => ({
  case: 'processPoints',
  value: { identifiers: [...identifiers] },
});

/** Returns the usual time between two values, in ms. */
export function pointInterval({ point: { expectedTransmissionRate } }: PointItem): number | undefined {
  const rate = expectedTransmissionRate?.value ?? 0;
  return rate > 0 ? DAY / rate : undefined;
}

export function pointOwner(item: PointItem): ValueOwner {
  const { organization, devices } = item.point;
  const interval = pointInterval(item);
  return {
    entity: 'process-point',
    id: idOf(item),
    name: nameOf(item),
    organization,
    selection: selectPoints([idOf(item)]),
    devices: devices.map(({ number }) => number),
    ...(interval === undefined ? {} : { interval }),
  };
}
