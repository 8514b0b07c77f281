import { useEffect } from 'react';

import { useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';
import { reportFirstScreen } from '#src/state/first-screen.ts';

/** Shown for an unknown URL, which stays in the address bar so the user can correct it. */
export function NotFound({ path }: { readonly path: string }) {
  const t = useText();
  useEffect(reportFirstScreen, []);
  return (
    <ScreenMessage title={t('screen.unknown')} actions={<CommandButton command="app.palette" tone="primary" />}>
      {t('screen.unknownHint', { path })}
    </ScreenMessage>
  );
}
