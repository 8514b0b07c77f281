import { useState } from 'react';

import type { Factor } from '#src/auth/account.ts';
import { removeFactor } from '#src/auth/second-factor.ts';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';

/** Lists the signed-in user's second factors. Each can be removed after confirmation. */
export function EnrolledFactors({ factors }: { readonly factors: readonly Factor[] }) {
  const t = useText();
  const [confirmingId, setConfirmingId] = useState<string>();
  const { problem, attempt } = useAttempt(pageMessage('enroll.removeFailed'));

  const remove = async (id: string): Promise<void> => {
    if (confirmingId !== id) {
      setConfirmingId(id);
      return;
    }
    await attempt(() => removeFactor(id));
    setConfirmingId(undefined);
  };

  return (
    <>
      <ul aria-label={t('enroll.list')} className="flex flex-col border-y border-line">
        {factors.map(({ id, kind, label }) => {
          const name = t(`factor.${kind}`, { label });
          return (
            <li key={id} className="flex h-9 items-center justify-between gap-2 border-line not-first:border-t">
              <span className="min-w-0 truncate">{name}</span>
              <Button
                tone={confirmingId === id ? 'danger' : 'quiet'}
                className="text-label"
                aria-label={t(confirmingId === id ? 'enroll.removeSureLabel' : 'enroll.removeLabel', { name })}
                onClick={() => void remove(id)}
              >
                {t(confirmingId === id ? 'enroll.removeSure' : 'enroll.remove')}
              </Button>
            </li>
          );
        })}
      </ul>
      <ProblemText problem={problem} />
    </>
  );
}
