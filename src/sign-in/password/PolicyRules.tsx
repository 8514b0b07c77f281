import { Check, Minus } from 'lucide-react';

import type { PasswordPolicy } from '#src/auth/account.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { useText } from '#src/sign-in/frame/texts.ts';

import { checkRules } from './policy.ts';

/** The rules for a new password. The icon, its accessible name, and the color show which rules are met. */
export function PolicyRules({ policy, password }: { readonly policy: PasswordPolicy; readonly password: string }) {
  const translate = useTranslate();
  const t = useText();
  return (
    <ul aria-label={t('policy.title')} className="flex flex-col gap-0.5 text-label">
      {checkRules(policy, password).map(({ id, label, isMet }) => {
        const Mark = isMet ? Check : Minus;
        return (
          <li key={id} className={`flex items-center gap-1.5 ${isMet ? 'text-ink-1' : 'text-ink-3'}`}>
            <Mark
              size={12}
              role="img"
              aria-label={t(isMet ? 'policy.met' : 'policy.unmet')}
              className={isMet ? 'text-health-ok' : ''}
            />
            {translate(label)}
          </li>
        );
      })}
    </ul>
  );
}
