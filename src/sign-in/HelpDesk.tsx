import { createLazyRoute } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import type { Message } from '#commands/text/message.ts';

import { runOwn } from './run-own.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { Progress } from '#src/ui/Progress.tsx';
import { Notice } from './frame/Notice.tsx';
import { problemOf } from './form/problems.ts';
import { SignedInAs } from './frame/SignedInAs.tsx';
import { pageMessage, useText } from './frame/texts.ts';
import { useServerInfo } from './frame/use-server-info.ts';
import { Way, Ways } from './frame/Ways.tsx';

/** Spec 9: the support desk opens within this. */
const WITHIN_MS = 5000;

/** Signs in at the support desk: asks for a token and posts it there, so that it is in no address. */
function HelpDesk() {
  const text = useText();
  const address = useServerInfo()?.signIn.helpDesk;
  if (!address) {
    return (
      <Notice title={text('helpDesk.title')} ways={<Ends />}>
        <p>{text('helpDesk.none')}</p>
      </Notice>
    );
  }
  return <Redirect address={address} />;
}

function Redirect({ address }: { readonly address: string }) {
  const say = useSay();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [token, setToken] = useState<string>();
  const [problem, setProblem] = useState<Message>();

  useEffect(() => {
    let over = false;
    const fail = (found: Message): void => {
      over = true;
      setProblem(found);
    };
    const late = setTimeout(() => fail(pageMessage('helpDesk.late')), WITHIN_MS);
    runOwn('me.help-desk-token').then(
      ({ reveal }) => {
        if (!over) setToken(reveal?.value);
      },
      (error: unknown) => {
        if (!over) fail(problemOf(error, pageMessage('helpDesk.failed'))?.message ?? pageMessage('helpDesk.failed'));
      },
    );
    return () => {
      over = true;
      clearTimeout(late);
    };
  }, [attempt]);

  useEffect(() => {
    if (token !== undefined) form.current?.submit();
  }, [token]);

  if (problem) {
    const again = (): void => {
      setProblem(undefined);
      setAttempt(attempt + 1);
    };
    return (
      <Notice
        title={text('helpDesk.title')}
        actions={
          <Button tone="primary" className="h-8" autoFocus onClick={again}>
            {text('tryAgain')}
          </Button>
        }
        ways={<Ends />}
      >
        <p>{say(problem)}</p>
        <p>{text('helpDesk.otherwise')}</p>
      </Notice>
    );
  }
  return (
    <Notice title={text('helpDesk.title')} ways={<Ends />}>
      <p>{text('helpDesk.opening', { host: new URL(address).host })}</p>
      <Progress max={1} label={text('helpDesk.progress')} />
      <form ref={form} method="post" action={address} hidden>
        {/* The field that Zendesk's sign-in takes. */}
        <input type="hidden" name="jwt" value={token ?? ''} />
      </form>
    </Notice>
  );
}

function Ends() {
  const text = useText();
  return (
    <>
      <Ways>
        <Way to="/">{text('toConsole')}</Way>
      </Ways>
      <SignedInAs />
    </>
  );
}

export const lazyHelpDesk = createLazyRoute('/login/support')({ component: HelpDesk });
