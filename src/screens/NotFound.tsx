import { useEffect } from 'react';

import { CommandButton } from '#src/run/CommandButton.tsx';
import { useText } from '#src/i18n/i18n.ts';
import { firstScreenShown } from '#src/state/first-screen.ts';
import { StateMessage } from '#src/ui/StateMessage.tsx';

/** An address that is none of the console's, which stays in the address bar so that it can be corrected. */
export function NotFound({ path }: { readonly path: string }) {
  const text = useText();
  useEffect(firstScreenShown, []);
  return (
    <StateMessage title={text('screen.unknown')} actions={<CommandButton command="app.palette" tone="primary" />}>
      {text('screen.unknownHint', { path })}
    </StateMessage>
  );
}
