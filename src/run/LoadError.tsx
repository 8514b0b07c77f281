import { useSetAtom } from 'jotai';
import { useEffect, useEffectEvent } from 'react';

import { lookupFailure } from '#src/data/failure.ts';
import { useOnReturn } from '#src/data/use-returns.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { CommandButton } from './CommandButton.tsx';

interface LoadErrorProps {
  /** What failed: "Devices could not be loaded". */
  readonly title: string;
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * What could not be loaded, and the command that asks for it again, with its key; a server that returns is asked at
 * once.
 */
export function LoadError({ title, error, retry }: LoadErrorProps) {
  const say = useSay();
  const text = useText();
  const setFailed = useSetAtom(failedLoadsAtom);
  const again = useEffectEvent(retry);
  useEffect(() => {
    const load = (): void => again();
    setFailed((failed) => [...failed, load]);
    return () => setFailed((failed) => failed.filter((pick) => pick !== load));
  }, [setFailed]);
  useOnReturn(retry);
  return (
    <StateMessage
      urgent
      title={title}
      actions={<CommandButton command="view.refresh">{text('screen.retry')}</CommandButton>}
    >
      {say(lookupFailure(error))}
    </StateMessage>
  );
}
