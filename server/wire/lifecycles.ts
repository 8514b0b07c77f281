import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';

/**
 * Customers don't see devices in these lifecycles, or any data about them. The permission DEVICE_VIEW_ALL_LIFECYCLES
 * shows them (contract: Lifecycle).
 */
export const hiddenLifecycles: readonly Modem_Lifecycle[] = [
  Modem_Lifecycle.ACCEPTANCE_TESTING,
  Modem_Lifecycle.DEFECTIVE,
  Modem_Lifecycle.DECOMMISSIONED,
  Modem_Lifecycle.DISABLED,
];

export const isHidden = (lifecycle: number): boolean => (hiddenLifecycles as readonly number[]).includes(lifecycle);
