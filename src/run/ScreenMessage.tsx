import { useEffect, type ComponentProps } from 'react';

import { useAllStrings } from '#src/i18n/i18n.ts';
import { reportFirstScreen } from '#src/state/first-screen.ts';
import { StateMessage } from '#src/ui/StateMessage.tsx';

/**
 * A message in place of a screen's content. Its text and buttons can come from any noun, so it waits for all strings.
 */
export function ScreenMessage(props: ComponentProps<typeof StateMessage>) {
  useEffect(reportFirstScreen, []);
  return useAllStrings() ? <StateMessage {...props} /> : null;
}
