import { useEffect } from 'react';

import type { Message } from '#commands/text/message.ts';

import { allTexts, useSay, useText } from '#src/i18n/i18n.ts';
import { firstScreenShown } from '#src/state/first-screen.ts';
import { StateMessage } from '#src/ui/StateMessage.tsx';

/** A screen that this person may not open: what they lack, and who can give it to them. */
export function Forbidden({ reason }: { readonly reason: Message }) {
  const say = useSay();
  const text = useText();
  useEffect(() => {
    firstScreenShown();
    // The names of permissions are among the texts of roles.
    void allTexts();
  }, []);
  return <StateMessage title={text('screen.forbidden')}>{say(reason)}</StateMessage>;
}
