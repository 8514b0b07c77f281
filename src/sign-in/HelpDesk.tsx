import { createLazyRoute } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import type { Message } from '#commands/text/message.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { Progress } from '#src/ui/Progress.tsx';

import { problemOf } from './form/problems.ts';
import { Notice } from './frame/Notice.tsx';
import { ScreenLink, ScreenLinks } from './frame/ScreenLinks.tsx';
import { SignedInAs } from './frame/SignedInAs.tsx';
import { pageMessage, useText } from './frame/texts.ts';
import { useServerInfo } from './frame/use-server-info.ts';
import { runOwnCommand } from './run-own-command.ts';

/** Time limit for opening the help desk (spec 9). */
const TIMEOUT_MS = 5000;

/** Signs in to the help desk. Requests a token and posts it to the desk to keep it out of the URL. */
function HelpDesk() {
  const t = useText();
  const url = useServerInfo()?.signIn.helpDesk;
  if (!url) {
    return (
      <Notice title={t('helpDesk.title')} links={<HelpDeskFooter />}>
        <p>{t('helpDesk.none')}</p>
      </Notice>
    );
  }
  return <Redirect url={url} />;
}

function Redirect({ url }: { readonly url: string }) {
  const translate = useTranslate();
  const t = useText();
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [token, setToken] = useState<string>();
  const [problem, setProblem] = useState<Message>();

  useEffect(() => {
    let isSettled = false;
    const fail = (reason: Message): void => {
      isSettled = true;
      setProblem(reason);
    };
    const timeout = setTimeout(() => fail(pageMessage('helpDesk.late')), TIMEOUT_MS);
    runOwnCommand('me.help-desk-token').then(
      ({ reveal }) => {
        if (!isSettled) setToken(reveal?.value);
      },
      (error: unknown) => {
        if (!isSettled)
          fail(problemOf(error, pageMessage('helpDesk.failed'))?.message ?? pageMessage('helpDesk.failed'));
      },
    );
    return () => {
      isSettled = true;
      clearTimeout(timeout);
    };
  }, [attempt]);

  useEffect(() => {
    if (token !== undefined) form.current?.submit();
  }, [token]);

  if (problem) {
    const retry = (): void => {
      setProblem(undefined);
      setAttempt(attempt + 1);
    };
    return (
      <Notice
        title={t('helpDesk.title')}
        actions={
          <Button tone="primary" className="h-8" autoFocus onClick={retry}>
            {t('tryAgain')}
          </Button>
        }
        links={<HelpDeskFooter />}
      >
        <p>{translate(problem)}</p>
        <p>{t('helpDesk.hint')}</p>
      </Notice>
    );
  }
  return (
    <Notice title={t('helpDesk.title')} links={<HelpDeskFooter />}>
      <p>{t('helpDesk.opening', { host: new URL(url).host })}</p>
      <Progress max={1} label={t('helpDesk.progress')} />
      <form ref={form} method="post" action={url} hidden>
        {/* The field that Zendesk's sign-in expects. */}
        <input type="hidden" name="jwt" value={token ?? ''} />
      </form>
    </Notice>
  );
}

function HelpDeskFooter() {
  const t = useText();
  return (
    <>
      <ScreenLinks>
        <ScreenLink to="/">{t('toConsole')}</ScreenLink>
      </ScreenLinks>
      <SignedInAs />
    </>
  );
}

export const lazyHelpDesk = createLazyRoute('/login/support')({ component: HelpDesk });
