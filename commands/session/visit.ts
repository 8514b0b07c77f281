import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import { SupportService, type Visit as VisitMessage } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import type { Visit } from '#commands/model/actor.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { msOf } from '#commands/model/wire.ts';

type Api = <S extends DescService>(service: S) => Client<S>;

export function visitOf({ id, reason, endsAt, changesAllowedAt }: VisitMessage): Visit {
  return { id: `${id}`, reason, endsAt: msOf(endsAt) ?? 0, changesAllowed: changesAllowedAt !== undefined };
}

/** The visit that is being ended: the next one begins after it, or it would be the one that ends. */
let ending: Promise<unknown> = Promise.resolve();

/**
 * Begins a visit, or renews the one that is open; a reason replaces its former one. Undefined where no visit is needed,
 * and for a server that keeps none.
 */
export async function beginVisit(api: Api, organization: string, reason?: string): Promise<Visit | undefined> {
  await ending;
  try {
    const { visit } = await api(SupportService).beginVisit({ organization, ...(reason ? { reason } : {}) });
    return visit && visitOf(visit);
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw error;
  }
}

/** Lets the visit change things, for as long as it lasts. */
export async function allowChanges(api: Api, organization: string, reason?: string): Promise<Visit | undefined> {
  const { visit } = await api(SupportService).allowChanges({ organization, ...(reason ? { reason } : {}) });
  return visit && visitOf(visit);
}

export async function endVisit(api: Api, organization: string): Promise<void> {
  const ended = api(SupportService).endVisit({ organization });
  ending = ended.catch(() => undefined);
  await ended;
}
