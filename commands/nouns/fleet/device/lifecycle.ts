import { Modem_Lifecycle, Modem_LifecycleSchema, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { reference } from '#commands/kit/filter-keys.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';

/** What is chosen most stands first; what only staff may see and set (contract: Lifecycle) comes after. */
const USUAL = [
  'INSTALLED',
  'PAUSED',
  'PENDING_MAINTENANCE',
  'PENDING_REPLACEMENT',
  'READY_TO_INSTALL',
  'SPARE',
] as const satisfies readonly (keyof typeof Modem_Lifecycle)[];

/** What a device can be set to; DISABLED is deprecated and only still shown. */
export const LIFECYCLES = [...USUAL, ...p.names(Modem_Lifecycle, [...USUAL, 'DISABLED'])];

export const lifecycleWords = enumWords(Modem_Lifecycle, 'device:lifecycle');
export const lifecycleText = lifecycleWords.named;

/** Refuses what only staff may set, for everybody else. */
export function checkLifecycle(value: string, { actor }: Context): Message | undefined {
  if ((USUAL as readonly string[]).includes(value) || actor.abilities.has('DEVICE_LIFECYCLE')) return undefined;
  return message('device:validation.lifecycle', { value: lifecycleText(value) });
}

const lifecycles = reference('lifecycle:visible', async (context) => {
  return (await context.api(ModemService).lifecycles({}, { signal: context.signal })).lifecycles;
});

/** The lifecycles that this person may see, as the server tells (contract: Lifecycle). */
export async function visibleLifecycles(context: Context): Promise<readonly Modem_Lifecycle[]> {
  return (await lifecycles(context)).map(({ lifecycle }) => lifecycle);
}

/** Those among them that customers cannot see: only staff see any (contract: Lifecycles, `visibility_limited`). */
export async function staffLifecycles(context: Context): Promise<readonly Modem_Lifecycle[]> {
  return (await lifecycles(context)).filter((info) => info.visibilityLimited).map(({ lifecycle }) => lifecycle);
}

/**
 * Every lifecycle; without them a selection leaves some out (contract: ModemSelection), also of devices that are
 * named.
 */
export const ALL_LIFECYCLES = Modem_LifecycleSchema.values.map(({ number }) => number as Modem_Lifecycle);

/** What a selection without lifecycles leaves out (contract: ModemSelection). */
const NOT_NORMAL: ReadonlySet<Modem_Lifecycle> = new Set([Modem_Lifecycle.DISABLED, Modem_Lifecycle.DECOMMISSIONED]);

export function isNormal(lifecycle: Modem_Lifecycle): boolean {
  return !NOT_NORMAL.has(lifecycle);
}
