import { signInWithGoogle } from '#src/auth/session.ts';
import { Button } from '#src/ui/Button.tsx';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { useSignIn } from '#src/sign-in/frame/use-onward.ts';

/**
 * The way in with a Google account, in a window of Google's; the one to take where it is the only one on its screen.
 */
export function GoogleSignIn({ only = false }: { readonly only?: boolean }) {
  const text = useText();
  const enter = useSignIn();
  const { busy, problem, attempt } = useAttempt(pageMessage('failed'));
  return (
    <div className="flex flex-col gap-2.5">
      <Button
        tone={only ? 'primary' : 'default'}
        autoFocus={only}
        className="h-8"
        onClick={() => void attempt(() => enter(signInWithGoogle))}
        {...(busy ? { disabledReason: text('google.busy') } : {})}
      >
        {text(busy ? 'google.busy' : 'google.submit')}
      </Button>
      <ProblemText problem={problem} />
    </div>
  );
}
