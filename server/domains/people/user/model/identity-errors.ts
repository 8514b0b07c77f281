import { Code, ConnectError } from '@connectrpc/connect';

import { AccountsError, SignInTooOldError, WeakPasswordError } from '#server/identity/accounts.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

/**
 * Awaits a call to the identity provider and translates its errors into messages for the caller.
 *
 * @throws ConnectError INVALID_ARGUMENT (password), FAILED_PRECONDITION (a fresh sign-in is needed), UNAVAILABLE
 * @throws EmailTakenError unchanged because its meaning depends on the operation
 */
export async function translateProviderErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WeakPasswordError) throw invalidArgument(error.message);
    if (error instanceof SignInTooOldError) throw failedPrecondition(error.message);
    if (error instanceof AccountsError) throw new ConnectError(error.message, Code.Unavailable);
    throw error;
  }
}
