import { useEffect, useState } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import { texts as commandTexts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';
import { candidate, needle, scoreOf } from '#commands/text/score.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useReconnectCount } from '#src/data/use-reconnects.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { joinBelow, type Group } from '#src/search/rows.ts';

import { promptOf } from './prompts/all.ts';
import type { Choice } from './prompts/prompt.ts';
import { toggleValue } from './prompts/several.ts';

const DEBOUNCE_MS = 90;

interface Choices {
  readonly groups: readonly Group<Choice>[];
  readonly problem: Message | undefined;
  readonly loading: boolean;
  /** True while the first available row could still come from a pending request. */
  readonly pending: boolean;
}

interface LateRows {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Choice[];
  readonly problem?: Message;
}

/** Makes a row of a multiple choice add or remove its value, given the values chosen so far. */
function toToggleRow(row: Choice, chosen: ArgValue | undefined): Choice {
  const values = (chosen ?? []) as readonly string[];
  const value = row.value as string;
  return { ...row, value: toggleValue(values, value), checked: values.includes(value), stays: true };
}

/**
 * Loads the rows for a param and the typed text. Late rows are added below; while the text grows, rows that still match
 * stay.
 */
export function useChoices(
  command: Command,
  name: string | undefined,
  text: string,
  args: Args,
  context: Context,
  skipDebounce = false,
): Choices {
  const say = useSay();
  const texts = useText('running');
  const [late, setLate] = useState<LateRows>();
  const param = name === undefined ? undefined : command.params[name];
  const prompt = param && promptOf(param.kind);
  const value = name === undefined ? undefined : args[name];
  const pause = skipDebounce ? 0 : DEBOUNCE_MS;
  const reconnects = useReconnectCount();

  useEffect(() => {
    if (!param || name === undefined) return undefined;
    const { load } = promptOf(param.kind);
    if (!load) return undefined;
    const abort = new AbortController();
    const settle = (result: LateRows): void => {
      if (!abort.signal.aborted) setLate(result);
    };
    const timer = setTimeout(() => {
      load({ param, text, value: undefined, context, say, texts }, abort.signal).then(
        (rows) => settle({ name, text, rows }),
        (error: unknown) => {
          if (!abort.signal.aborted) report(error);
          settle({ name, text, rows: [], problem: lookupFailure(error) });
        },
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [param, name, text, context, say, texts, pause, reconnects]);

  if (!param || !prompt || name === undefined)
    return { groups: [], problem: undefined, loading: false, pending: false };
  const immediate = prompt.immediate({ param, text, value, context, say, texts });
  const lateForParam = late?.name === name ? late : undefined;
  const isSettled = lateForParam?.text === text;
  const typed = needle(text);
  const matchingRows = lateForParam?.rows.filter(
    (row) => isSettled || (!row.echo && scoreOf(candidate(row.label), typed) !== undefined),
  );
  const rows = joinBelow(immediate.rows, matchingRows ?? []).map((row) =>
    row.toggles ? toToggleRow(row, value) : row,
  );
  return {
    groups: [{ id: name, heading: say(commandTexts.param(command, name)), rows }],
    problem: immediate.problem ?? (isSettled ? lateForParam?.problem : undefined),
    loading: prompt.load !== undefined && !isSettled,
    pending: prompt.load !== undefined && !isSettled && !immediate.rows.some(({ reason }) => reason === undefined),
  };
}
