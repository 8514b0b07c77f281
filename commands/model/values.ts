import type { MessageInitShape } from '@bufbuild/protobuf';

import type { ValueSelectionSchema } from '#proto/gen/hiber/value_service_pb.ts';

/** Selects the devices or the process points that own values. */
export type ValueOwners = Exclude<
  MessageInitShape<typeof ValueSelectionSchema>['ownerSelection'],
  { case: undefined } | undefined
>;

/** A device or process point that owns values. */
export interface ValueOwner {
  readonly entity: string;
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  readonly selection: ValueOwners;
  /** The numbers of the devices whose messages bring new values. */
  readonly devices: readonly string[];
  /** The expected time between two values, in ms, if it is known. */
  readonly interval?: number;
}
