import { useAtomValue } from 'jotai';

import { applyVerification, sessionAtom } from '#src/auth/session.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useLoaded } from '#src/sign-in/form/use-loaded.ts';
import { useOnward } from '#src/sign-in/frame/use-onward.ts';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

/** A code works once: a screen that is drawn twice asks once. */
const asked = new Map<string, Promise<string>>();

function apply(code: string): Promise<string> {
  const known = asked.get(code) ?? applyVerification(code);
  asked.set(code, known);
  return known;
}

/** Takes the code of the mail's link, and says which address it was for. */
export function VerifiedByLink({ code }: { readonly code: string }) {
  const say = useSay();
  const text = useText();
  const onward = useOnward();
  const session = useAtomValue(sessionAtom);
  const applied = useLoaded(() => apply(code));

  if (!applied) return <Loading title={text('verify.checking')} />;
  const signedIn = session.status === 'signed-in';
  const problem = 'error' in applied ? problemOf(applied.error, pageMessage('verify.failed')) : undefined;
  return (
    <Notice
      title={text(problem ? 'verify.title' : 'verify.doneTitle')}
      actions={
        signedIn && (
          <Button tone="primary" className="h-8" autoFocus onClick={() => void onward()}>
            {text('goOn')}
          </Button>
        )
      }
      ways={
        signedIn ? (
          <SignedInAs />
        ) : (
          <Ways>
            <Way to="/login">{text('ways.signIn')}</Way>
          </Ways>
        )
      }
    >
      <p>{'value' in applied ? text('verify.done', { email: applied.value }) : problem && say(problem.message)}</p>
    </Notice>
  );
}
