import { useEffect, useMemo, useState } from 'react';

import { parseLine } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import { missingMessage } from '#commands/model/params.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import { message, type Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { report } from '#src/net/report.ts';
import { commandLines } from '#src/palette/rows/pasted-text.ts';
import { startDraft } from '#src/run/draft.ts';

type State =
  | { readonly status: 'preparing' }
  | { readonly status: 'ready'; readonly preparedRun: PreparedRun }
  | { readonly status: 'failed'; readonly message: Message };

export interface ScriptLine {
  readonly line: string;
  readonly state: State;
}

/** Delay after the last edit before the lines are planned. */
const DEBOUNCE_MS = 200;
const PREPARING: State = { status: 'preparing' };

/** Plans a script's lines, one at a time. */
export function useScriptPlans(script: string, registry: Registry, context: Context): readonly ScriptLine[] {
  const lines = useMemo(() => commandLines(script), [script]);
  const [planResult, setPlanResult] = useState<{
    readonly lines: readonly string[];
    readonly states: readonly State[];
  }>();
  useEffect(() => {
    const abort = new AbortController();
    const requestContext: Context = { ...context, signal: abort.signal };
    const planLines = async (): Promise<void> => {
      const states: State[] = [];
      for (const line of lines) {
        states.push(await planLine(line, registry, requestContext));
        if (abort.signal.aborted) return;
        setPlanResult({ lines, states: [...states] });
      }
    };
    const timer = setTimeout(() => void planLines(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [lines, registry, context]);
  return lines.map((line, index) => ({
    line,
    state: (planResult?.lines === lines && planResult.states[index]) || PREPARING,
  }));
}

/**
 * Replans a line right before running it, because the lines before it may have changed its items. Returns undefined if
 * the new plan differs from the plan that the user saw.
 */
export async function replanLine(
  line: string,
  shownPlan: PreparedRun,
  registry: Registry,
  context: Context,
): Promise<PreparedRun | undefined> {
  const state = await planLine(line, registry, context);
  const isSamePlan =
    state.status === 'ready' && JSON.stringify(state.preparedRun.plan) === JSON.stringify(shownPlan.plan);
  return isSamePlan ? state.preparedRun : undefined;
}

async function planLine(line: string, registry: Registry, context: Context): Promise<State> {
  const { command, invocation, problems } = parseLine(line, registry);
  const [problem] = problems;
  if (problem) return { status: 'failed', message: problem.message };
  if (!command || !invocation) return { status: 'failed', message: message('running:line.empty') };
  const { args } = startDraft(command, invocation.args, context);
  const [missingParam] = missingParams(command, args);
  if (missingParam !== undefined) return { status: 'failed', message: missingMessage(command.params[missingParam]) };
  try {
    const preparedRun = await prepare(command, args, context);
    const { confirm } = preparedRun.plan ?? {};
    // A command that needs typed confirmation must run on its own.
    if (confirm !== undefined) return { status: 'failed', message: message('running:palette.alone') };
    return { status: 'ready', preparedRun };
  } catch (error) {
    if (!context.signal.aborted) report(error);
    return { status: 'failed', message: lookupFailure(error) };
  }
}
