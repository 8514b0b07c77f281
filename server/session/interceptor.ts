import type { Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from '@connectrpc/connect';

import type { App } from '#server/app/app.ts';
import { effectOf, organizationNamedIn, type PolicyOf } from '#server/policies/rpcs.ts';
import { requireSupported } from '#server/wire/requests/check.ts';

import { accessWatchKey, supportSessionKey } from './access-changes.ts';
import { findScope, runIfAllowed } from './admission.ts';
import { authenticate } from './authenticate.ts';
import { scopeKey, sessionKey } from './scope.ts';
import { recordResponse } from './support-calls.ts';

/**
 * Authenticates the caller, finds the organization, and checks the rpc's policy before the service runs. Also records
 * calls by support staff. Services read the result with `scope(context)`.
 */
export function sessionInterceptor(app: App, policyOf: PolicyOf): Interceptor {
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    const policy = policyOf(method);
    if (request.stream && policy.audience !== 'everyone') watchAccess(app, request);
    const { firstMessage, request: forwardedRequest } = request.stream
      ? await readFirstMessage(request)
      : { firstMessage: request.message, request };
    if (policy.audience === 'everyone') {
      requireSupported(method.input, firstMessage);
      return next(forwardedRequest);
    }
    const session = await authenticate(app, header);
    requireSupported(method.input, firstMessage);
    const scope = await findScope(app, policy, session, organizationNamedIn(policy, method, firstMessage));
    values.set(sessionKey, session);
    values.set(scopeKey, scope);
    const call = { method, policy, effect: effectOf(policy, method, firstMessage), session, scope };
    return runIfAllowed(app, call, async (supportCall) => {
      if (supportCall !== undefined) values.set(supportSessionKey, supportCall.supportSession);
      const result = await next(forwardedRequest);
      const response = result.stream ? { ...result, message: requireWatch(result.message, request) } : result;
      return supportCall === undefined ? response : recordResponse(response, request.signal, supportCall);
    });
  };
}

/** Starts before reading anything that determines access, so no change can be missed in between. */
function watchAccess(app: App, { contextValues, signal }: StreamRequest): void {
  const watch = app.bus.watchAccess();
  contextValues.set(accessWatchKey, watch);
  // Aborts at the end of every call, for any reason.
  signal.addEventListener('abort', () => watch.close(), { once: true });
  if (signal.aborted) watch.close();
}

/**
 * Passes messages on while the call watches the caller's access.
 *
 * @throws Error if the rpc does not call `onAccessChanged`, because its stream would outlive the caller's access
 */
async function* requireWatch<T>(messages: AsyncIterable<T>, { method, contextValues }: StreamRequest | UnaryRequest) {
  for await (const message of messages) {
    if (contextValues.get(accessWatchKey)?.isActive !== true) {
      throw new Error(`${method.name} streams without watching its caller's access.`);
    }
    yield message;
  }
}

/** Reads the first message of a streaming request; no request in the contract has more than one. */
async function readFirstMessage(request: StreamRequest): Promise<{ firstMessage: Message; request: StreamRequest }> {
  const messages = request.message[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done) throw new ConnectError('The request contains no message.', Code.InvalidArgument);
  return { firstMessage: first.value, request: { ...request, message: prepend(first.value, messages) } };
}

async function* prepend<T>(first: T, iterator: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let result = await iterator.next(); !result.done; result = await iterator.next()) yield result.value;
}
