import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import type { SupportSession } from '#commands/model/actor.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { toMs } from '#commands/model/wire.ts';
import {
  SupportService,
  type SupportSession as SupportSessionMessage,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

type Api = <S extends DescService>(service: S) => Client<S>;

export function toSupportSession({ id, reason, endsAt, changesAllowedAt }: SupportSessionMessage): SupportSession {
  return { id: `${id}`, reason, endsAt: toMs(endsAt) ?? 0, changesAllowed: changesAllowedAt !== undefined };
}

/**
 * Resolves when the previous support session has ended. The next session waits for this, because the pending call could
 * otherwise end it.
 */
let previousEnd: Promise<unknown> = Promise.resolve();

/**
 * Starts a support session, or renews the open session. A new reason replaces the previous reason.
 *
 * @returns undefined if no session is needed, or if the server does not support sessions
 */
export async function beginSupportSession(
  api: Api,
  organization: string,
  reason?: string,
): Promise<SupportSession | undefined> {
  await previousEnd;
  try {
    const { supportSession } = await api(SupportService).beginSupportSession({
      organization,
      ...(reason ? { reason } : {}),
    });
    return supportSession && toSupportSession(supportSession);
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw error;
  }
}

/** Allows changes until the support session ends. */
export async function allowChanges(
  api: Api,
  organization: string,
  reason?: string,
): Promise<SupportSession | undefined> {
  const { supportSession } = await api(SupportService).allowChanges({ organization, ...(reason ? { reason } : {}) });
  return supportSession && toSupportSession(supportSession);
}

export async function endSupportSession(api: Api, organization: string): Promise<void> {
  const endCall = api(SupportService).endSupportSession({ organization });
  previousEnd = endCall.catch(() => undefined);
  await endCall;
}
