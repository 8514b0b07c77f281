import { useEffect, useState } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';
import { candidate, needle, scoreOf } from '#commands/text/score.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useReconnectCount } from '#src/data/use-reconnects.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { appendLateRows, type Group } from '#src/search/rows.ts';

import { findPrompt } from './prompts/all.ts';
import { toggleValue } from './prompts/multiple.ts';
import type { Choice } from './prompts/prompt.ts';

const DEBOUNCE_MS = 90;

interface Choices {
  readonly groups: readonly Group<Choice>[];
  readonly problem: Message | undefined;
  readonly isLoading: boolean;
  /** True while a pending request could provide the first available row. */
  readonly isPending: boolean;
}

interface LoadedRows {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Choice[];
  readonly problem?: Message;
}

/** Makes a multiple-choice row add its value to the current values, or remove it from them. A list is only added. */
function toToggleRow(row: Choice, current: ArgValue | undefined): Choice {
  const values = (current ?? []) as readonly string[];
  if (Array.isArray(row.value)) return { ...row, value: [...new Set([...values, ...row.value])], keepsOpen: true };
  const value = row.value as string;
  return { ...row, value: toggleValue(values, value), checked: values.includes(value), keepsOpen: true };
}

/**
 * Loads the rows for a param and the typed text, and adds them below the immediate rows. While the user types on,
 * loaded rows that still match stay visible.
 */
export function useChoices(
  command: Command,
  name: string | undefined,
  text: string,
  args: Args,
  context: Context,
  skipDebounce = false,
): Choices {
  const translate = useTranslate();
  const t = useText('running');
  const [loadedRows, setLoadedRows] = useState<LoadedRows>();
  const param = name === undefined ? undefined : command.params[name];
  const prompt = param && findPrompt(param.kind);
  const value = name === undefined ? undefined : args[name];
  const delayMs = skipDebounce ? 0 : DEBOUNCE_MS;
  const reconnects = useReconnectCount();

  useEffect(() => {
    if (!param || name === undefined) return undefined;
    const { load } = findPrompt(param.kind);
    if (!load) return undefined;
    const abort = new AbortController();
    const finish = (result: LoadedRows): void => {
      if (!abort.signal.aborted) setLoadedRows(result);
    };
    const timer = setTimeout(() => {
      load({ param, text, value: undefined, context, translate, t }, abort.signal).then(
        (rows) => finish({ name, text, rows }),
        (error: unknown) => {
          if (!abort.signal.aborted) report(error);
          finish({ name, text, rows: [], problem: lookupFailure(error) });
        },
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [param, name, text, context, translate, t, delayMs, reconnects]);

  if (!param || !prompt || name === undefined)
    return { groups: [], problem: undefined, isLoading: false, isPending: false };
  const immediateRows = prompt.immediateRows({ param, text, value, context, translate, t });
  const rowsForParam = loadedRows?.name === name ? loadedRows : undefined;
  const isSettled = rowsForParam?.text === text;
  const pattern = needle(text);
  const matchingRows = rowsForParam?.rows.filter(
    (row) => isSettled || (!row.isEcho && scoreOf(candidate(row.label), pattern) !== undefined),
  );
  const rows = appendLateRows(immediateRows.rows, matchingRows ?? []).map((row) =>
    row.toggles ? toToggleRow(row, value) : row,
  );
  return {
    groups: [{ id: name, heading: translate(commandLabels.param(command, name)), rows }],
    problem: immediateRows.problem ?? (isSettled ? rowsForParam?.problem : undefined),
    isLoading: prompt.load !== undefined && !isSettled,
    isPending:
      prompt.load !== undefined && !isSettled && !immediateRows.rows.some(({ reason }) => reason === undefined),
  };
}
