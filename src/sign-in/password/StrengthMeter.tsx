import { useOptionalData } from '#src/sign-in/form/use-load-once.ts';
import { useText } from '#src/sign-in/frame/texts.ts';

import { FILL_PERCENT, LEVELS, passwordStrength, type Level } from './strength.ts';

const COLORS: Readonly<Record<Level, string>> = {
  risky: 'bg-health-error',
  guessable: 'bg-health-error',
  weak: 'bg-health-warning',
  safe: 'bg-health-ok',
  secure: 'bg-health-ok',
};

/** Shows a password's strength as a bar and a word. Both are empty for an empty password. */
export function StrengthMeter({ password }: { readonly password: string }) {
  const t = useText();
  const level = passwordStrength(password, useCommonPasswords());
  const word = password === '' ? '' : t(`strength.${level}`);
  return (
    <div className="flex items-center gap-2.5 text-label">
      <div
        role="meter"
        aria-label={t('strength.label')}
        aria-valuemin={0}
        aria-valuemax={LEVELS.length - 1}
        aria-valuenow={LEVELS.indexOf(level)}
        aria-valuetext={word || t('strength.none')}
        className="h-1 flex-1 overflow-hidden rounded-full bg-surface-3"
      >
        <div
          className={`h-full rounded-full ${COLORS[level]}`}
          style={{ width: password === '' ? 0 : `${FILL_PERCENT[level]}%` }}
        />
      </div>
      <span aria-live="polite" className="w-16 text-right text-ink-2">
        {word}
      </span>
    </div>
  );
}

const NO_PASSWORDS: ReadonlySet<string> = new Set();

/** Loads the common passwords. Until they have loaded, no password counts as common. */
function useCommonPasswords(): ReadonlySet<string> {
  return useOptionalData(() => import('./common-passwords.ts'))?.commonPasswords ?? NO_PASSWORDS;
}
