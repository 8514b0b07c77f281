import { enumLabels } from '#commands/kit/enum-labels.ts';
import { cachedLoader } from '#commands/kit/filter-keys.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import { Modem_Lifecycle, Modem_LifecycleSchema, ModemService } from '#proto/gen/hiber/modem_pb.ts';

/**
 * The lifecycles that customers may set, which are listed first. Only staff may set the others (contract: Lifecycle).
 */
const CUSTOMER_LIFECYCLES = [
  'INSTALLED',
  'PAUSED',
  'PENDING_MAINTENANCE',
  'PENDING_REPLACEMENT',
  'READY_TO_INSTALL',
  'SPARE',
] as const satisfies readonly (keyof typeof Modem_Lifecycle)[];

/** The lifecycles that a device can be set to. DISABLED is deprecated, so it is only displayed. */
export const LIFECYCLES = [...CUSTOMER_LIFECYCLES, ...p.names(Modem_Lifecycle, [...CUSTOMER_LIFECYCLES, 'DISABLED'])];

export const lifecycleLabels = enumLabels(Modem_Lifecycle, 'device:lifecycle');
export const lifecycleText = lifecycleLabels.byName;

/** Rejects lifecycles that only staff may set. */
export function checkLifecycle(value: string, { actor }: Context): Message | undefined {
  if ((CUSTOMER_LIFECYCLES as readonly string[]).includes(value) || actor.abilities.has('DEVICE_LIFECYCLE'))
    return undefined;
  return message('device:validation.lifecycle', { value: lifecycleText(value) });
}

const loadLifecycles = cachedLoader('lifecycle:visible', async (context) => {
  return (await context.api(ModemService).lifecycles({}, { signal: context.signal })).lifecycles;
});

/** Returns the lifecycles that the user may see, according to the server (contract: Lifecycle). */
export async function loadVisibleLifecycles(context: Context): Promise<readonly Modem_Lifecycle[]> {
  return (await loadLifecycles(context)).map(({ lifecycle }) => lifecycle);
}

/**
 * Returns the lifecycles that only staff can see. There are none unless the user is staff (contract: Lifecycles,
 * `visibility_limited`).
 */
export async function loadStaffLifecycles(context: Context): Promise<readonly Modem_Lifecycle[]> {
  return (await loadLifecycles(context)).filter((info) => info.visibilityLimited).map(({ lifecycle }) => lifecycle);
}

/**
 * Every lifecycle. A selection without lifecycles omits some devices, even those that it names (contract:
 * ModemSelection).
 */
export const ALL_LIFECYCLES = Modem_LifecycleSchema.values.map(({ number }) => number as Modem_Lifecycle);

/** The lifecycles that a selection includes only if it names them (contract: ModemSelection). */
const OPT_IN: ReadonlySet<Modem_Lifecycle> = new Set([Modem_Lifecycle.DISABLED, Modem_Lifecycle.DECOMMISSIONED]);

export function isSelectedByDefault(lifecycle: Modem_Lifecycle): boolean {
  return !OPT_IN.has(lifecycle);
}
