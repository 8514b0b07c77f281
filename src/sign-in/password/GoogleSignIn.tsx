import { signInWithGoogle } from '#src/auth/session.ts';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useSignIn } from '#src/sign-in/frame/use-continue.ts';
import { Button } from '#src/ui/Button.tsx';

/** Signs in with a Google account in Google's popup. It is the primary action if it is the only one on the screen. */
export function GoogleSignIn({ isOnlyAction = false }: { readonly isOnlyAction?: boolean }) {
  const t = useText();
  const completeSignIn = useSignIn();
  const { isBusy, problem, attempt } = useAttempt(pageMessage('failed'));
  return (
    <div className="flex flex-col gap-2.5">
      <Button
        tone={isOnlyAction ? 'primary' : 'default'}
        autoFocus={isOnlyAction}
        className="h-8"
        onClick={() => void attempt(() => completeSignIn(signInWithGoogle))}
        {...(isBusy ? { disabledReason: t('google.busy') } : {})}
      >
        {t(isBusy ? 'google.busy' : 'google.submit')}
      </Button>
      <ProblemText problem={problem} />
    </div>
  );
}
