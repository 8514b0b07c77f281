import type { Message } from '#commands/text/message.ts';
import type { PasswordPolicy } from '#src/auth/account.ts';
import { loadPasswordPolicy } from '#src/auth/session.ts';
import { useOptionalData } from '#src/sign-in/form/use-load-once.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';

export interface Rule {
  readonly id: keyof PasswordPolicy;
  readonly label: Message;
  readonly isMet: boolean;
}

/** Longer than any passphrase that people type. */
const MAX_PASSPHRASE_LENGTH = 128;

/** Checks a password against each rule of this installation (spec 5). */
export function checkRules(policy: PasswordPolicy, password: string): readonly Rule[] {
  const { minLength, maxLength } = policy;
  // The identity provider counts UTF-16 code units, as `length` does.
  const rules: readonly (Rule & { readonly applies: boolean })[] = [
    {
      id: 'minLength',
      label: pageMessage('policy.minLength', { count: minLength }),
      applies: minLength > 0,
      isMet: password.length >= minLength,
    },
    {
      id: 'maxLength',
      label: pageMessage('policy.maxLength', { count: maxLength ?? 0 }),
      // The provider always has a maximum. It is worth mentioning only if a passphrase could exceed it.
      applies: (maxLength ?? Infinity) < MAX_PASSPHRASE_LENGTH,
      isMet: password.length <= (maxLength ?? Infinity),
    },
    {
      id: 'lowercase',
      label: pageMessage('policy.lowercase'),
      applies: policy.lowercase,
      isMet: /[a-z]/.test(password),
    },
    {
      id: 'uppercase',
      label: pageMessage('policy.uppercase'),
      applies: policy.uppercase,
      isMet: /[A-Z]/.test(password),
    },
    { id: 'numeric', label: pageMessage('policy.numeric'), applies: policy.numeric, isMet: /\d/.test(password) },
    {
      id: 'nonAlphanumeric',
      label: pageMessage('policy.nonAlphanumeric'),
      applies: policy.nonAlphanumeric,
      isMet: /[^a-zA-Z0-9]/.test(password),
    },
  ];
  return rules.filter(({ applies }) => applies).map(({ id, label, isMet }) => ({ id, label, isMet }));
}

/** Returns a message if the new password is invalid. */
export function checkNewPassword(password: string, policy: PasswordPolicy | undefined): Message | undefined {
  if (password === '') return pageMessage('required');
  return policy && checkRules(policy, password).some(({ isMet }) => !isMet) ? pageMessage('policyUnmet') : undefined;
}

/**
 * Returns the identity provider's password policy.
 *
 * @returns undefined until it has loaded, or if the provider does not disclose it, in which case only the provider
 * validates passwords
 */
export function usePasswordPolicy(): PasswordPolicy | undefined {
  return useOptionalData(loadPasswordPolicy);
}
