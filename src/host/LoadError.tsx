import { useSetAtom } from 'jotai';
import { useEffect, useEffectEvent } from 'react';

import { useText } from '../i18n.ts';
import { failedLoadsAtom } from '../state/failed-loads.ts';
import { StateMessage } from '../ui/StateMessage.tsx';
import { CommandButton } from './CommandButton.tsx';

interface LoadErrorProps {
  /** What failed: "Devices could not be loaded". */
  readonly title: string;
  /** Why, as far as the server said. */
  readonly message: string;
  readonly retry: () => void;
}

/** What could not be loaded, and the command that asks for it again, with its key. */
export function LoadError({ title, message, retry }: LoadErrorProps) {
  const text = useText();
  const setFailed = useSetAtom(failedLoadsAtom);
  const again = useEffectEvent(retry);
  useEffect(() => {
    const load = (): void => again();
    setFailed((failed) => [...failed, load]);
    return () => setFailed((failed) => failed.filter((each) => each !== load));
  }, [setFailed]);
  return (
    <StateMessage
      urgent
      title={title}
      actions={<CommandButton command="view.refresh">{text('screen.retry')}</CommandButton>}
    >
      {message}
    </StateMessage>
  );
}
