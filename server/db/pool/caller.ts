import { createHash } from 'node:crypto';
import type { Interceptor } from '@connectrpc/connect';
import { currentWork, forCaller } from './work.ts';

/** Of so many sign-ins it is remembered for which organization they called last; the oldest are forgotten first. */
const MAX_REMEMBERED = 10_000;

/** What callers share until it is known for which organization they call: those who bear made-up tokens, for one. */
const UNKNOWN = '';

/** What the current call uses of the database counts for `organization` from now on (turns.ts). */
export function chargeTo(organization: string): void {
  const work = currentWork();
  if (work !== undefined) work.account = organization;
}

/**
 * Ties the statements of calls to their callers, and to the organization that their sign-in called for last until
 * {@link chargeTo} says for which they call now. Of a stream, those that open it: it outlives them.
 */
export function callerInterceptor(): Interceptor {
  const organizations = new Map<string, string>();
  const remember = (signIn: string, organization: string | undefined): void => {
    if (organization === undefined || organization === UNKNOWN) return;
    organizations.delete(signIn);
    organizations.set(signIn, organization);
    const oldest = organizations.keys().next();
    if (organizations.size > MAX_REMEMBERED && !oldest.done) organizations.delete(oldest.value);
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

/** The same for one sign-in, however the header is written: each form would be remembered as a sign-in of its own. */
const credentialIn = (header: Headers): string => (header.get('authorization') ?? '').trim().replace(/^bearer +/i, '');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
