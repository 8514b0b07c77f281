import { randomUUID } from 'node:crypto';

import { missingRequirements } from '#server/demo/identity/emulator/password-policy.ts';
import {
  EmailTakenError,
  type IdentityAccounts,
  type NewAccount,
  WeakPasswordError,
} from '#server/identity/accounts.ts';

/** Accounts in memory that record the calls they receive. */
export interface TestAccounts extends IdentityAccounts {
  readonly created: readonly (NewAccount & { id: string })[];
  /** Emails that the provider would have sent, oldest first. */
  readonly sent: readonly { kind: 'verification' | 'reset'; email: string }[];
  /** ID tokens whose accounts were deleted. */
  readonly removed: readonly string[];
}

/**
 * Creates a fake of the provider's accounts.
 *
 * @param takenAddresses addresses that already have an account
 */
export function testAccounts(takenAddresses: readonly string[]): TestAccounts {
  const addresses = new Set(takenAddresses.map((email) => email.toLowerCase()));
  const created: (NewAccount & { id: string })[] = [];
  const sent: { kind: 'verification' | 'reset'; email: string }[] = [];
  const removed: string[] = [];
  return {
    created,
    sent,
    removed,
    async create(account) {
      const email = account.email.toLowerCase();
      if (addresses.has(email)) throw new EmailTakenError(`${account.email} already has an account.`);
      const missing = account.password === undefined ? [] : missingRequirements(account.password);
      if (missing.length > 0) throw new WeakPasswordError(`The password is too weak: ${missing.join(', ')}.`);
      const id = randomUUID();
      addresses.add(email);
      created.push({ ...account, id });
      if (account.sendVerification) sent.push({ kind: 'verification', email: account.email });
      return { id };
    },
    async sendPasswordReset(email) {
      if (addresses.has(email.toLowerCase())) sent.push({ kind: 'reset', email });
    },
    async remove({ idToken }) {
      removed.push(idToken);
    },
  };
}
