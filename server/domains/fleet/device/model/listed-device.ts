import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { device } from '#server/db/schema/device.ts';
import type { processPoint } from '#server/db/schema/process-point.ts';
import type { FileRow } from '#server/domains/data/file/files.ts';

export type DeviceRow = typeof device.$inferSelect;

/** A device with the related data that responses contain. */
export interface ListedDevice {
  readonly row: DeviceRow;
  readonly level: HealthLevel | undefined;
  readonly tags: { id: number; name: string; type: string; priority: number }[];
  readonly files: FileRow[];
  /** The number of messages in the last 24 hours. */
  readonly receivedCount: number;
  /** The number of devices that this gateway relays for. */
  readonly connectedCount: number;
  /** The process points that it measures now, sorted by name. */
  readonly points: readonly PointOfDevice[];
}

/** A process point in the trimmed form that devices contain (contract: Modem fields). */
export type PointOfDevice = Pick<typeof processPoint.$inferSelect, 'identifier' | 'name' | 'type'>;

export interface DeviceKey extends Record<string, unknown> {
  readonly organization: string;
  readonly number: string;
}

export const organizationsOf = (keys: readonly DeviceKey[]): string[] => [
  ...new Set(keys.map(({ organization }) => organization)),
];
export const numbersOf = (keys: readonly DeviceKey[]): string[] => keys.map(({ number }) => number);
