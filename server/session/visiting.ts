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
import type { App } from '../app.ts';
import { supportCall } from '../db/schema/support.ts';
import { loggable } from '../loggable.ts';
import { effectOf } from '../policies/effects.ts';
import type { Scope } from './scope.ts';
import { openOrBegin } from './visits.ts';

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
  { method, signal }: Pick<UnaryRequest | StreamRequest, 'method' | 'signal'>,
  answer: () => Promise<Response>,
): Promise<Response> {
  const now = app.now();
  const visit = await openOrBegin(app.db, { organization, userId: session.user.id }, now);
  const changes = effectOf(method) === 'change';
  const rpc = `${method.parent.name}.${method.name}`;
  const call = { organization, visit: visit.id, time: now, rpc, changes };
  const [row] = await app.db.orm.insert(supportCall).values(call).returning({ id: supportCall.id });
  const ended = async (outcome: string): Promise<void> => {
    const here = and(eq(supportCall.organization, organization), eq(supportCall.id, row?.id ?? 0));
    try {
      await app.db.orm.update(supportCall).set({ outcome }).where(here);
    } catch (error) {
      // The call was made and stays recorded; its caller is not told that it failed.
      app.log.error('outcome of a support call not recorded', { rpc, organization, error: loggable(error) });
    }
  };
  try {
    if (changes && visit.changesAllowedAt === null) throw onlyReads(organization);
    const response = await answer();
    if (!response.stream) await ended('ok');
    return response.stream ? { ...response, message: untilItEnds(response.message, signal, ended) } : response;
  } catch (error) {
    await ended(outcomeOf(error));
    throw error;
  }
}

/** Nobody reads on after the caller hung up, so that the loop may never learn of it: the signal tells. */
async function* untilItEnds<T>(
  messages: AsyncIterable<T>,
  signal: AbortSignal,
  ended: (outcome: string) => Promise<void>,
): AsyncGenerator<T, void> {
  const hungUp = () => void ended(codeToString(Code.Canceled));
  signal.addEventListener('abort', hungUp, { once: true });
  try {
    yield* messages;
    if (!signal.aborted) await ended('ok');
  } catch (error) {
    if (!signal.aborted) await ended(outcomeOf(error));
    throw error;
  } finally {
    signal.removeEventListener('abort', hungUp);
  }
}

/** What is not thrown on purpose goes to the caller as INTERNAL. */
const outcomeOf = (error: unknown): string => codeToString(error instanceof ConnectError ? error.code : Code.Internal);

const onlyReads = (organization: string): ConnectError =>
  new ConnectError(
    `You act for "${organization}" as support staff, and this visit may only read so far: allow changes first ` +
      `with the command "support allow-changes".`,
    Code.PermissionDenied,
  );
