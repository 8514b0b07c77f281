import { Code, ConnectError } from '@connectrpc/connect';
import { AccountsFailed, SignInTooOld, WeakPassword } from '#server/identity/accounts.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

/**
 * Does something with accounts at the identity provider, whose refusals are sentences for whoever asked.
 *
 * @throws ConnectError INVALID_ARGUMENT (password), FAILED_PRECONDITION (a fresh sign-in is needed), UNAVAILABLE
 * @throws EmailTaken as it is, for what it means depends on who asked for what
 */
export async function atProvider<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WeakPassword) throw invalidArgument(error.message);
    if (error instanceof SignInTooOld) throw failedPrecondition(error.message);
    if (error instanceof AccountsFailed) throw new ConnectError(error.message, Code.Unavailable);
    throw error;
  }
}
