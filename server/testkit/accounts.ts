import { randomUUID } from 'node:crypto';
import { EmailTaken, type IdentityAccounts, type NewAccount, WeakPassword } from '#server/identity/accounts.ts';
import { missingRequirements } from '#server/demo/identity/emulator/password-policy.ts';

/** Accounts in memory, which tell what was asked of them. */
export interface TestAccounts extends IdentityAccounts {
  readonly created: readonly (NewAccount & { id: string })[];
  /** Mails that the provider would have sent, oldest first. */
  readonly sent: readonly { kind: 'verification' | 'reset'; email: string }[];
  /** ID tokens whose accounts were deleted. */
  readonly removed: readonly string[];
}

/** @param taken addresses that have an account from the start */
export function testAccounts(taken: readonly string[]): TestAccounts {
  const addresses = new Set(taken.map((email) => email.toLowerCase()));
  const created: (NewAccount & { id: string })[] = [];
  const sent: { kind: 'verification' | 'reset'; email: string }[] = [];
  const removed: string[] = [];
  return {
    created,
    sent,
    removed,
    async create(account) {
      const email = account.email.toLowerCase();
      if (addresses.has(email)) throw new EmailTaken(`${account.email} has an account already.`);
      const missing = account.password === undefined ? [] : missingRequirements(account.password);
      if (missing.length > 0) throw new WeakPassword(`The password is too weak: ${missing.join(', ')}.`);
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
