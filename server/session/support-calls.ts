import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError, type StreamResponse, type UnaryResponse } from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import { and, eq } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { supportCall } from '#server/db/schema/support.ts';

import type { Scope } from './scope.ts';
import { findOrBeginSupportSession, type SupportSession, type SupportStaff } from './support-sessions.ts';

/**
 * Runs a call by support staff who act for an organization that they do not belong to. Records the call as part of a
 * support session before it runs, and its outcome afterwards. If no session is open, begins one that has no reason.
 * Denies changes until the session allows them.
 *
 * @throws ConnectError PERMISSION_DENIED, in addition to the errors of `run`
 */
export async function runInSupportSession<T>(
  app: App,
  { organization, session }: Scope,
  { method, changes }: SupportCall,
  run: (call: RecordedCall) => Promise<T>,
): Promise<T> {
  const call = await recordCall(app, { organization, userId: session.user.id }, method, changes);
  try {
    if (changes && call.supportSession.changesAllowedAt === null) throw readOnlyError(organization);
    return await run(call);
  } catch (error) {
    await call.recordOutcome(toOutcome(error));
    throw error;
  }
}

interface SupportCall {
  readonly method: DescMethod;
  /** True if the call changes something in the organization. */
  readonly changes: boolean;
}

export interface RecordedCall {
  readonly supportSession: SupportSession;
  /** Records the outcome of the call, a gRPC status in snake case. Only the first outcome is recorded. */
  recordOutcome(outcome: string): Promise<void>;
}

/** Records the start of a call in the open support session, or begins a session for it. */
export async function recordCall(
  app: App,
  staff: SupportStaff,
  method: DescMethod,
  changes: boolean,
): Promise<RecordedCall> {
  const { organization } = staff;
  const now = app.now();
  const supportSession = await findOrBeginSupportSession(app.db, staff, now);
  const rpc = `${method.parent.name}.${method.name}`;
  const call = { organization, supportSession: supportSession.id, time: now, rpc, changes };
  const [row] = await app.db.orm.insert(supportCall).values(call).returning({ id: supportCall.id });
  const isThisCall = and(eq(supportCall.organization, organization), eq(supportCall.id, row?.id ?? 0));
  let isRecorded = false;
  return {
    supportSession,
    async recordOutcome(outcome) {
      if (isRecorded) return;
      isRecorded = true;
      try {
        // Record the outcome even after a hang-up, which is how most calls end early.
        await runToCompletion(() => app.db.orm.update(supportCall).set({ outcome }).where(isThisCall));
      } catch (error) {
        // The call was made and stays recorded, so its caller doesn't see this failure.
        app.log.error("The outcome of a support call couldn't be recorded.", {
          rpc,
          organization,
          error: describeError(error),
        });
      }
    },
  };
}

/** Records the outcome of a call that has a response. That of a stream is recorded at its end. */
export async function recordResponse(
  response: UnaryResponse | StreamResponse,
  signal: AbortSignal,
  { recordOutcome }: RecordedCall,
): Promise<UnaryResponse | StreamResponse> {
  if (response.stream) return { ...response, message: recordAtEnd(response.message, signal, recordOutcome) };
  await recordOutcome('ok');
  return response;
}

/** Records the outcome of a stream. After a hang-up, the loop may never continue, so the signal triggers the record. */
function recordAtEnd<T>(
  messages: AsyncIterable<T>,
  signal: AbortSignal,
  recordOutcome: RecordedCall['recordOutcome'],
): AsyncGenerator<T, void> {
  const canceledCode = codeToString(Code.Canceled);
  signal.addEventListener('abort', () => void recordOutcome(canceledCode), { once: true });
  return (async function* () {
    try {
      yield* messages;
      await recordOutcome('ok');
    } catch (error) {
      await recordOutcome(signal.aborted ? canceledCode : toOutcome(error));
      throw error;
    }
  })();
}

/** Errors other than ConnectError are bugs, and reach the caller as INTERNAL. */
const toOutcome = (error: unknown): string => codeToString(error instanceof ConnectError ? error.code : Code.Internal);

const readOnlyError = (organization: string): ConnectError =>
  new ConnectError(
    `Your support session for "${organization}" is read-only. Allow changes first with the command ` +
      `"support allow-changes".`,
    Code.PermissionDenied,
  );
