import { useEffect, useState } from 'react';

import { texts as commandTexts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Message } from '#commands/text/message.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { report } from '#src/net/report.ts';
import { useReturns } from '#src/data/use-returns.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { promptOf } from './prompts/all.ts';
import type { Choice } from './prompts/prompt.ts';
import { toggled } from './prompts/several.ts';
import { joinBelow, type Group } from '#src/search/rows.ts';
import { candidate, needle, scoreOf } from '#commands/text/score.ts';

const PAUSE_MS = 90;

interface Choices {
  readonly groups: readonly Group<Choice>[];
  readonly problem: Message | undefined;
  readonly loading: boolean;
  /** Nothing can be taken yet that what is still being looked for could not come before. */
  readonly pending: boolean;
}

interface Late {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Choice[];
  readonly problem?: Message;
}

/** A row that is one of several, as it is with what was chosen so far. */
function toggle(row: Choice, chosen: ArgValue | undefined): Choice {
  const values = (chosen ?? []) as readonly string[];
  const value = row.value as string;
  return { ...row, value: toggled(values, value), checked: values.includes(value), stays: true };
}

/**
 * The rows that a param can be given, for what is typed. Those that come late join below; while the text grows, those
 * that still fit stay. `hurry` skips the pause that waits for the next key.
 */
export function useChoices(
  command: Command,
  name: string | undefined,
  text: string,
  args: Args,
  context: Context,
  hurry = false,
): Choices {
  const say = useSay();
  const texts = useText();
  const [late, setLate] = useState<Late>();
  const param = name === undefined ? undefined : command.params[name];
  const prompt = param && promptOf(param.kind);
  const value = name === undefined ? undefined : args[name];
  const pause = hurry ? 0 : PAUSE_MS;
  const returns = useReturns();

  useEffect(() => {
    if (!param || name === undefined) return undefined;
    const { later } = promptOf(param.kind);
    if (!later) return undefined;
    const abort = new AbortController();
    const settle = (answer: Late): void => {
      if (!abort.signal.aborted) setLate(answer);
    };
    const timer = setTimeout(() => {
      later({ param, text, value: undefined, context, say, texts }, abort.signal).then(
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
  }, [param, name, text, context, say, texts, pause, returns]);

  if (!param || !prompt || name === undefined)
    return { groups: [], problem: undefined, loading: false, pending: false };
  const now = prompt.now({ param, text, value, context, say, texts });
  const mine = late?.name === name ? late : undefined;
  const settled = mine?.text === text;
  const typed = needle(text);
  const kept = mine?.rows.filter((row) => settled || (!row.echo && scoreOf(candidate(row.label), typed) !== undefined));
  const rows = joinBelow(now.rows, kept ?? []).map((row) => (row.toggles ? toggle(row, value) : row));
  return {
    groups: [{ id: name, heading: say(commandTexts.param(command, name)), rows }],
    problem: now.problem ?? (settled ? mine?.problem : undefined),
    loading: prompt.later !== undefined && !settled,
    pending: prompt.later !== undefined && !settled && !now.rows.some(({ reason }) => reason === undefined),
  };
}
