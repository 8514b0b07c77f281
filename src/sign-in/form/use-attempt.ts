import { useState } from 'react';

import type { Message } from '#commands/text/message.ts';

import { problemOf } from './problems.ts';

interface Attempt {
  readonly busy: boolean;
  /** Why the last one failed. */
  readonly problem: Message | undefined;
  /** Never rejects. */
  attempt(act: () => Promise<unknown>): Promise<void>;
}

/**
 * What a button outside a form does: whether it is doing it, and what went wrong. `otherwise` as in {@link
 * problemOf}.
 */
export function useAttempt(otherwise: Message): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Message>();
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(problemOf(error, otherwise)?.message);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt };
}
