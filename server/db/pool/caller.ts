import { createHash } from 'node:crypto';

import type { Interceptor } from '@connectrpc/connect';

import { currentWork, forCaller } from './work.ts';

/**
 * The maximum number of sign-ins to remember with their last organization. The least recently used is evicted first.
 */
const MAX_SIGN_INS = 10_000;

/** The account shared by callers with an organization that isn't known yet, including callers with forged tokens. */
const UNKNOWN = '';

/** Charges the rest of the current call's database use to `organization` (turns.ts). */
export function chargeTo(organization: string): void {
  const work = currentWork();
  if (work !== undefined) work.account = organization;
}

/**
 * Ties the statements of a call to its caller, and to the organization of the sign-in's previous call until {@link
 * chargeTo} sets its own. For a stream, this covers only the statements that open it.
 */
export function callerInterceptor(): Interceptor {
  const organizations = new Map<string, string>();
  const remember = (signIn: string, organization: string | undefined): void => {
    if (organization === undefined || organization === UNKNOWN) return;
    organizations.delete(signIn);
    organizations.set(signIn, organization);
    const oldest = organizations.keys().next();
    if (organizations.size > MAX_SIGN_INS && !oldest.done) organizations.delete(oldest.value);
  };
  return (next) => (request) => {
    const signIn = digest(credentialIn(request.header));
    return forCaller(
      request.signal,
      async () => {
        try {
          return await next(request);
        } finally {
          remember(signIn, currentWork()?.account);
        }
      },
      organizations.get(signIn) ?? UNKNOWN,
    );
  };
}

/** Normalizes the authorization header, so different spellings of it count as the same sign-in. */
const credentialIn = (header: Headers): string => (header.get('authorization') ?? '').trim().replace(/^bearer +/i, '');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
