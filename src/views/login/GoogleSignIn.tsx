import { useState } from 'react';

import type { Message } from '#commands/core/message';

import { signInWithGoogle } from '../../auth/session.ts';
import { useSay } from '../../i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { problemOf } from './problems.ts';
import { said, useText } from './texts.ts';
import { useSignIn } from './use-onward.ts';

/** The way in with a Google account, in a window of Google's; the one to take where it is the only one on its screen. */
export function GoogleSignIn({ only = false }: { readonly only?: boolean }) {
  const say = useSay();
  const text = useText();
  const enter = useSignIn();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Message>();

  const signIn = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await enter(signInWithGoogle);
    } catch (error) {
      setProblem(problemOf(error, said('failed'))?.said);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col gap-2.5">
      <Button
        tone={only ? 'primary' : 'default'}
        autoFocus={only}
        className="h-8"
        onClick={() => void signIn()}
        {...(busy ? { disabledReason: text('google.busy') } : {})}
      >
        {text(busy ? 'google.busy' : 'google.submit')}
      </Button>
      {problem && (
        <p role="alert" className="text-error-text">
          {say(problem)}
        </p>
      )}
    </div>
  );
}
