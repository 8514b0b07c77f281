import { parseValue, printValue } from '#commands/line/line.ts';
import type { Kind } from '#commands/model/arg-value.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message } from '#commands/text/message.ts';
import { PERIOD_NAMES } from '#commands/model/time.ts';
import { checkValue } from '#commands/run/values.ts';

import { candidate, match, needle } from '#commands/text/score.ts';
import { translate } from '#src/i18n/i18n.ts';
import { NOTHING, type Answer, type Asked, type Choice, type Prompt } from './prompt.ts';

/** A typed text as the row that takes it, or what is wrong with it. */
export function typedAnswer(asked: Asked, text: string = asked.text): Answer {
  const param = asked.param as Param;
  const read = parseValue(param, text);
  if ('problem' in read) return { rows: [], problem: read.problem };
  const problem = checkValue(param, read.value, asked.context);
  if (problem) return { rows: [], problem };
  const label = printValue(param, read.value);
  return { rows: [{ id: 'typed', label: label === '' ? asked.texts('palette.empty') : label, value: read.value }] };
}

export function suggestedChoice(
  { value, label: plain, message: text, detail, count }: Suggestion,
  typed: string,
): Choice {
  const label = text ? translate(text) : plain;
  const about = [detail, count === undefined ? undefined : count.toLocaleString()].filter(Boolean).join(' · ');
  return {
    id: `suggested ${value}`,
    label,
    ranges: match(candidate(label), needle(typed))?.ranges ?? [],
    ...(about ? { detail: about } : {}),
    value,
  };
}

/** A kind that is typed, with texts that people often mean while nothing is. */
export function typed<K extends Kind>(examples: readonly string[] = []): Prompt<K> {
  return {
    now: (asked) => {
      const plain = asked as unknown as Asked;
      if (asked.text.trim() !== '') return typedAnswer(plain);
      const rows = examples.flatMap((text) => typedAnswer(plain, text).rows.map((row) => ({ ...row, id: text })));
      return { rows };
    },
  };
}

export const DURATIONS: readonly string[] = ['15m', '1h', '12h', '1d', '7d'];
export const TIMES: readonly string[] = ['now', '-1h', '-1d', ...PERIOD_NAMES];
export const RANGES: readonly string[] = ['-1h..now', '-1d..now', '-7d..now', '-30d..now'];

export const textPrompt: Prompt<'text'> = {
  now: (asked) => {
    const { param, text } = asked;
    if (text !== '') return typedAnswer(asked);
    return param.clears || !param.required ? typedAnswer(asked, '') : NOTHING;
  },
  later: async ({ param, text, context }, signal) => {
    const found = (await param.suggest?.({ ...context, signal }, text)) ?? [];
    return found.map((suggestion) => suggestedChoice(suggestion, text));
  },
};

export const flagPrompt: Prompt<'flag'> = {
  now: ({ text, texts }) => {
    const rows = [true, false].map((value) => {
      const label = texts(value ? 'palette.yes' : 'palette.no');
      return { id: String(value), label, ranges: match(candidate(label), needle(text))?.ranges, value };
    });
    return { rows: rows.filter((row) => row.ranges !== undefined) };
  },
};

/** Never shown, kept or printed: the row says only that there is one. */
export const secretPrompt: Prompt<'secret'> = {
  masked: true,
  now: (asked) => {
    if (asked.text === '') return NOTHING;
    const problem = checkValue(asked.param, asked.text, asked.context);
    if (problem) return { rows: [], problem };
    return { rows: [{ id: 'typed', label: asked.texts('palette.secret'), value: asked.text }] };
  },
};

/** A browser gives a file only to a field: the form has one. */
export const filePrompt: Prompt<'file'> = {
  now: () => ({ rows: [], problem: message('core:validation.fileInForm') }),
};
