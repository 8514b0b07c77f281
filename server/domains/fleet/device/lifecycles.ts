import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

export interface LifecycleInfo {
  readonly lifecycle: Modem_Lifecycle;
  /** Set for staff only (contract: ModemService.Lifecycles). */
  readonly visibilityLimited: boolean | undefined;
  readonly highlighted: boolean;
}

/** Lifecycles of devices that need attention. */
const HIGHLIGHTED_LIFECYCLES: readonly Modem_Lifecycle[] = [
  Modem_Lifecycle.PENDING_MAINTENANCE,
  Modem_Lifecycle.PENDING_REPLACEMENT,
];

/** Returns every lifecycle that the caller may see, in the contract's order. */
export function visibleLifecycles({ allLifecycles }: Scope): LifecycleInfo[] {
  return Object.values(Modem_Lifecycle)
    .filter((lifecycle) => allLifecycles || !isHidden(lifecycle))
    .map((lifecycle) => ({
      lifecycle,
      visibilityLimited: allLifecycles ? isHidden(lifecycle) : undefined,
      highlighted: HIGHLIGHTED_LIFECYCLES.includes(lifecycle),
    }));
}
