import { create } from '@bufbuild/protobuf';
import {
  type ListCallsResponse_Call,
  ListCallsResponse_CallSchema,
  type Visit as VisitMessage,
  VisitSchema,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import type { supportCall } from '#server/db/schema/support.ts';
import type { Visit } from '#server/session/visits.ts';
import { presentTimestamp } from '#server/wire/present.ts';

export interface ListedVisit {
  readonly visit: Visit;
  readonly userName: string;
  readonly userEmail: string;
  readonly calls: number;
  readonly changes: number;
}

export function presentVisit({ visit, ...beside }: ListedVisit): VisitMessage {
  return create(VisitSchema, {
    organization: visit.organization,
    id: BigInt(visit.id),
    userId: visit.userId,
    reason: visit.reason,
    beganAt: presentTimestamp(visit.beganAt),
    endsAt: presentTimestamp(visit.endsAt),
    ...(visit.changesAllowedAt && { changesAllowedAt: presentTimestamp(visit.changesAllowedAt) }),
    ...beside,
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
