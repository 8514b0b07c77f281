import { useState } from 'react';

import type { Message } from '#commands/text/message.ts';

import { problemOf } from './problems.ts';

interface Attempt {
  readonly isBusy: boolean;
  /** The reason why the last attempt failed. */
  readonly problem: Message | undefined;
  /** Never rejects. */
  attempt(action: () => Promise<unknown>): Promise<void>;
}

/** Returns the state of a button outside a form: whether it is busy, and its error ({@link problemOf}). */
export function useAttempt(fallback: Message): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Message>();
  const attempt = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await action();
    } catch (error) {
      setProblem(problemOf(error, fallback)?.message);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, attempt };
}
