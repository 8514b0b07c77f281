import { useState } from 'react';

import type { Message } from '#commands/text/message.ts';

import { problemOf } from './problems.ts';

interface Attempt {
  readonly busy: boolean;
  /** The reason why the last attempt failed. */
  readonly problem: Message | undefined;
  /** Never rejects. */
  attempt(act: () => Promise<unknown>): Promise<void>;
}

/**
 * Returns the state of a button outside a form: whether it is busy, and its error. `fallback` as in {@link problemOf}.
 */
export function useAttempt(fallback: Message): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Message>();
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(problemOf(error, fallback)?.message);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt };
}
