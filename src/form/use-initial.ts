import { useEffect, useState } from 'react';

import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { resolveGiven } from '#commands/run/resolve.ts';

import { report } from '#src/net/report.ts';
import { startDraft } from '#src/run/draft.ts';
import { draftOf, withProblems, type FormDraft } from './draft.ts';

/** What a form starts with, once it is known. */
export type Start =
  | { readonly status: 'loading' }
  /** `round` is another one when it was asked for again. */
  | { readonly status: 'ready'; readonly draft: FormDraft; readonly round: number }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry: () => void };

type Answer = { readonly draft: FormDraft; readonly round: number } | { readonly error: unknown };

/**
 * What a form starts with: what was given, the selection as the target, and what those items have now. Another `round`
 * asks again; until there is an answer, the one before stands.
 */
export function useInitial(
  command: Command | undefined,
  args: Args,
  context: Context,
  round = 0,
  typed?: FormDraft['typed'],
): Start {
  const [given] = useState(args);
  const [texts] = useState(typed);
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!command) return undefined;
    const abort = new AbortController();
    const asking: Context = { ...context, signal: abort.signal };
    begin(command, given, asking, texts).then(
      (draft) => {
        if (!abort.signal.aborted) setAnswer({ draft, round });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        report(error);
        setAnswer({ error });
      },
    );
    return () => abort.abort();
  }, [command, given, texts, context, attempt, round]);
  if (!answer) return { status: 'loading' };
  if ('draft' in answer) return { status: 'ready', ...answer };
  return {
    status: 'failed',
    error: answer.error,
    retry: () => {
      setAnswer(undefined);
      setAttempt(attempt + 1);
    },
  };
}

async function begin(
  command: Command,
  args: Args,
  context: Context,
  typed: FormDraft['typed'] = {},
): Promise<FormDraft> {
  const { args: given } = startDraft(command, args, context);
  // Only the target decides what the items have now; a value that is wrong is said in its field.
  const target = targetParam(command)?.name;
  const asked = target === undefined ? given : { [target]: given[target] };
  const known = command.initial
    ? await command.initial(context, await resolveGiven(command, asked, context))
    : { values: {} };
  return withProblems(command, draftOf(given, known, typed), context);
}
