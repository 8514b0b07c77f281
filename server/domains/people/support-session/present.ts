import { create } from '@bufbuild/protobuf';

import {
  type ListCallsResponse_Call,
  ListCallsResponse_CallSchema,
  type SupportSession as SupportSessionMessage,
  SupportSessionSchema,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import type { supportCall } from '#server/db/schema/support.ts';
import type { SupportSession } from '#server/session/support-sessions.ts';
import { presentTimestamp } from '#server/wire/present.ts';

export interface ListedSupportSession {
  readonly supportSession: SupportSession;
  readonly userName: string;
  readonly userEmail: string;
  readonly calls: number;
  readonly changes: number;
}

export function presentSupportSession({ supportSession, ...details }: ListedSupportSession): SupportSessionMessage {
  return create(SupportSessionSchema, {
    organization: supportSession.organization,
    id: BigInt(supportSession.id),
    userId: supportSession.userId,
    reason: supportSession.reason,
    beganAt: presentTimestamp(supportSession.beganAt),
    endsAt: presentTimestamp(supportSession.endsAt),
    ...(supportSession.changesAllowedAt && { changesAllowedAt: presentTimestamp(supportSession.changesAllowedAt) }),
    ...details,
  });
}

export function presentCall(call: typeof supportCall.$inferSelect): ListCallsResponse_Call {
  return create(ListCallsResponse_CallSchema, {
    id: BigInt(call.id),
    time: presentTimestamp(call.time),
    rpc: call.rpc,
    changes: call.changes,
    outcome: call.outcome ?? '',
  });
}
