import type { Message } from '#commands/text/message.ts';

import type { PasswordPolicy } from '#src/auth/account.ts';
import { passwordPolicy } from '#src/auth/session.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';
import { useExtra } from '#src/sign-in/form/use-loaded.ts';

export interface Rule {
  readonly id: keyof PasswordPolicy;
  readonly says: Message;
  readonly met: boolean;
}

/** Longer than people type, in characters. */
const PASSPHRASE = 128;

/** The rules that this installation has, and which of them a password meets (spec 5). */
export function rulesOf(policy: PasswordPolicy, password: string): readonly Rule[] {
  const { minLength, maxLength } = policy;
  // The identity provider counts UTF-16 units.
  const rules: readonly (Rule & { readonly applies: boolean })[] = [
    {
      id: 'minLength',
      says: pageMessage('policy.minLength', { count: minLength }),
      applies: minLength > 0,
      met: password.length >= minLength,
    },
    {
      id: 'maxLength',
      says: pageMessage('policy.maxLength', { count: maxLength ?? 0 }),
      // The provider always has one; it is worth a line where a passphrase could be longer.
      applies: (maxLength ?? Infinity) < PASSPHRASE,
      met: password.length <= (maxLength ?? Infinity),
    },
    { id: 'lowercase', says: pageMessage('policy.lowercase'), applies: policy.lowercase, met: /[a-z]/.test(password) },
    { id: 'uppercase', says: pageMessage('policy.uppercase'), applies: policy.uppercase, met: /[A-Z]/.test(password) },
    { id: 'numeric', says: pageMessage('policy.numeric'), applies: policy.numeric, met: /\d/.test(password) },
    {
      id: 'nonAlphanumeric',
      says: pageMessage('policy.nonAlphanumeric'),
      applies: policy.nonAlphanumeric,
      met: /[^a-zA-Z0-9]/.test(password),
    },
  ];
  return rules.filter(({ applies }) => applies).map(({ id, says, met }) => ({ id, says, met }));
}

/** The sentence for a new password that cannot be taken; undefined for one that can. */
export function newPassword(password: string, policy: PasswordPolicy | undefined): Message | undefined {
  if (password === '') return pageMessage('required');
  return policy && rulesOf(policy, password).some(({ met }) => !met) ? pageMessage('policyUnmet') : undefined;
}

/** Undefined until it is known, or where the provider does not tell: then it alone decides. */
export function usePasswordPolicy(): PasswordPolicy | undefined {
  return useExtra(passwordPolicy);
}
