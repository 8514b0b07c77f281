import type { ValueOwner, ValueOwners } from '#commands/model/values.ts';

import { idOf, nameOf, type PointItem } from './item.ts';

const DAY = 86_400_000;

export const selectPoints = (identifiers: readonly string[]): ValueOwners => ({
  case: 'processPoints',
  value: { identifiers: [...identifiers] },
});

export function pointOwner(item: PointItem): ValueOwner {
  const { organization, devices, expectedTransmissionRate } = item.point;
  const rate = expectedTransmissionRate?.value ?? 0;
  return {
    entity: 'process-point',
    id: idOf(item),
    name: nameOf(item),
    organization,
    selection: selectPoints([idOf(item)]),
    devices: devices.map(({ number }) => number),
    ...(rate > 0 ? { interval: DAY / rate } : {}),
  };
}
