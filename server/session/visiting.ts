import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import { and, eq } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { supportCall } from '#server/db/schema/support.ts';
import { seenThrough } from '#server/db/pool/work.ts';
import { loggable } from '#server/base/loggable.ts';
import { visitKey } from './rights.ts';
import type { Scope } from './scope.ts';
import { openOrBegin, type Visit, type Visitor } from './visits.ts';

type Response = UnaryResponse | StreamResponse;

/**
 * Answers a call of support staff who act for an organization that they do not belong to: it is recorded, before it is
 * made and with its outcome, as part of a visit, which begins without a reason when there is none. Until changes are
 * allowed, whatever would change something is refused.
 *
 * @throws ConnectError PERMISSION_DENIED, besides whatever `answer` throws
 */
export async function withinVisit(
  app: App,
  { organization, session }: Scope,
  { request: { method, signal, contextValues }, changes }: VisitedCall,
  answer: () => Promise<Response>,
): Promise<Response> {
  const { visit, ended } = await recordCall(app, { organization, userId: session.user.id }, method, changes);
  contextValues.set(visitKey, visit);
  try {
    if (changes && visit.changesAllowedAt === null) throw onlyReads(organization);
    const response = await answer();
    if (response.stream) return { ...response, message: untilItEnds(response.message, signal, ended) };
    await ended('ok');
    return response;
  } catch (error) {
    await ended(outcomeOf(error));
    throw error;
  }
}

interface VisitedCall {
  readonly request: Pick<UnaryRequest | StreamRequest, 'method' | 'signal' | 'contextValues'>;
  /** Whether it changes something in the organization. */
  readonly changes: boolean;
}

interface RecordedCall {
  readonly visit: Visit;
  /** Tells how the call ended: a gRPC status in snake case. Only the first time counts. */
  ended(outcome: string): Promise<void>;
}

/** Records that a call is made, as part of the visit that is open or that it begins. */
export async function recordCall(
  app: App,
  visitor: Visitor,
  method: DescMethod,
  changes: boolean,
): Promise<RecordedCall> {
  const { organization } = visitor;
  const now = app.now();
  const visit = await openOrBegin(app.db, visitor, now);
  const rpc = `${method.parent.name}.${method.name}`;
  const call = { organization, visit: visit.id, time: now, rpc, changes };
  const [row] = await app.db.orm.insert(supportCall).values(call).returning({ id: supportCall.id });
  const here = and(eq(supportCall.organization, organization), eq(supportCall.id, row?.id ?? 0));
  let told = false;
  return {
    visit,
    async ended(outcome) {
      if (told) return;
      told = true;
      try {
        // Most of those who end a call early hang up.
        await seenThrough(() => app.db.orm.update(supportCall).set({ outcome }).where(here));
      } catch (error) {
        // The call was made and stays recorded; its caller is not told that it failed.
        app.log.error('outcome of a support call not recorded', { rpc, organization, error: loggable(error) });
      }
    },
  };
}

/** Nobody reads on after the caller hung up, so that the loop may never learn of it: the signal tells. */
function untilItEnds<T>(
  messages: AsyncIterable<T>,
  signal: AbortSignal,
  ended: RecordedCall['ended'],
): AsyncGenerator<T, void> {
  const canceled = codeToString(Code.Canceled);
  signal.addEventListener('abort', () => void ended(canceled), { once: true });
  return (async function* () {
    try {
      yield* messages;
      await ended('ok');
    } catch (error) {
      await ended(signal.aborted ? canceled : outcomeOf(error));
      throw error;
    }
  })();
}

/** What is not thrown on purpose goes to the caller as INTERNAL. */
const outcomeOf = (error: unknown): string => codeToString(error instanceof ConnectError ? error.code : Code.Internal);

const onlyReads = (organization: string): ConnectError =>
  new ConnectError(
    `You act for "${organization}" as support staff, and this visit may only read so far: allow changes first ` +
      `with the command "support allow-changes".`,
    Code.PermissionDenied,
  );
