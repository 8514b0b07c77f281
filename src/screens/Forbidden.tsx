import { useEffect } from 'react';

import type { Message } from '#commands/text/message.ts';
import { loadAllStrings, useTranslate, useText } from '#src/i18n/i18n.ts';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';
import { reportFirstScreen } from '#src/state/first-screen.ts';

/** Shown instead of a screen that the user can't open. Names the missing permission and who can grant it. */
export function Forbidden({ reason }: { readonly reason: Message }) {
  const translate = useTranslate();
  const t = useText();
  useEffect(() => {
    reportFirstScreen();
    // The reason names a permission, and permission names are among the role strings, which may not have loaded yet.
    void loadAllStrings();
  }, []);
  return <ScreenMessage title={t('screen.forbidden')}>{translate(reason)}</ScreenMessage>;
}
