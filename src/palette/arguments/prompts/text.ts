import { parseValue, printValue } from '#commands/line/line.ts';
import type { Kind } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { PERIOD_NAMES } from '#commands/model/time.ts';
import { checkValue } from '#commands/run/values.ts';
import { message } from '#commands/text/message.ts';
import { candidate, match, needle, tierOf } from '#commands/text/score.ts';
import { formatCount, translate } from '#src/i18n/i18n.ts';
import { findMatchingOptions } from '#src/search/options.ts';

import { NOTHING, type PromptResult, type PromptInput, type Choice, type Prompt } from './prompt.ts';

/** Returns a row for the typed text, or the problem with it. */
export function typedResult(input: PromptInput, text: string = input.text): PromptResult {
  const param = input.param as Param;
  const parsed = parseValue(param, text);
  if ('problem' in parsed) return { rows: [], problem: parsed.problem };
  const problem = checkValue(param, parsed.value, input.context);
  if (problem) return { rows: [], problem };
  const label = printValue(param, parsed.value);
  return { rows: [{ id: 'typed', label: label === '' ? input.t('palette.empty') : label, value: parsed.value }] };
}

export function suggestedChoice(
  { value, label: plainLabel, message: labelMessage, detail, count }: Suggestion,
  typedText: string,
): Choice {
  const label = labelMessage ? translate(labelMessage) : plainLabel;
  const about = [detail, count === undefined ? undefined : formatCount(count)].filter(Boolean).join(' · ');
  return {
    id: `suggested ${value}`,
    label,
    ranges: match(candidate(label), needle(typedText))?.ranges ?? [],
    ...(about ? { detail: about } : {}),
    value,
  };
}

/** Returns rows for suggestions. If no other values are valid, these are the ones that match the text, best first. */
export function suggestedChoices(
  suggestions: readonly Suggestion[],
  text: string,
  { closed = false }: { readonly closed?: boolean },
): readonly Choice[] {
  if (!closed) return suggestions.map((suggestion) => suggestedChoice(suggestion, text));
  const byValue = new Map(suggestions.map((suggestion) => [suggestion.value, suggestion]));
  const options = suggestions.map(({ value, label, message: labelMessage }) => ({
    value,
    label: labelMessage ? translate(labelMessage) : label,
  }));
  return findMatchingOptions(options, text).flatMap(({ value }) => {
    const suggestion = byValue.get(value);
    return suggestion === undefined ? [] : [suggestedChoice(suggestion, text)];
  });
}

/** Returns the prompt for a kind that is entered as text. It offers common examples while nothing is typed. */
export function typedPrompt<K extends Kind>(examples: readonly string[] = []): Prompt<K> {
  return {
    immediateRows: (input) => {
      const plainInput = input as unknown as PromptInput;
      if (input.text.trim() !== '') return typedResult(plainInput);
      const rows = examples.flatMap((text) => typedResult(plainInput, text).rows.map((row) => ({ ...row, id: text })));
      return { rows };
    },
  };
}

export const DURATIONS: readonly string[] = ['15m', '1h', '12h', '1d', '7d'];
export const TIMES: readonly string[] = ['now', '-1h', '-1d', ...PERIOD_NAMES];
export const RANGES: readonly string[] = ['-1h..now', '-1d..now', '-7d..now', '-30d..now'];

export const textPrompt: Prompt<'text'> = {
  immediateRows: (input) => {
    const { param, text } = input;
    if (text !== '') return param.closed ? NOTHING : typedResult(input);
    return param.clears || !param.required ? typedResult(input, '') : NOTHING;
  },
  load: async ({ param, text, context }, signal) => {
    const suggestions = (await param.suggest?.({ ...context, signal }, text)) ?? [];
    return suggestedChoices(suggestions, text, param);
  },
};

export const flagPrompt: Prompt<'flag'> = {
  immediateRows: ({ text, t }) => {
    const pattern = needle(text);
    const rows = [true, false].flatMap((value) => {
      const label = t(value ? 'palette.yes' : 'palette.no');
      const synonyms = t(value ? 'palette.yesWords' : 'palette.noWords').replaceAll(', ', '\n');
      const found = match(candidate(label, synonyms), pattern);
      if (!found) return [];
      const ranges = found.ranges.filter(([, to]) => to <= label.length);
      return [{ id: String(value), label, ranges, value, tier: text === '' ? 0 : tierOf(found.score) }];
    });
    // Best match first: “n” starts No, but also occurs in “on”.
    return { rows: rows.toSorted((a, b) => b.tier - a.tier).map(({ tier: _tier, ...row }) => row) };
  },
};

/** A secret is never shown, stored, or printed, so its row only indicates that one was typed. */
export const secretPrompt: Prompt<'secret'> = {
  masked: true,
  immediateRows: (input) => {
    if (input.text === '') return NOTHING;
    const problem = checkValue(input.param, input.text, input.context);
    if (problem) return { rows: [], problem };
    return { rows: [{ id: 'typed', label: input.t('palette.secret'), value: input.text }] };
  },
};

/** Browsers provide files only through a file input, and only the form has one. */
export const filePrompt: Prompt<'file' | 'files'> = {
  immediateRows: () => ({ rows: [], problem: message('core:validation.fileInForm') }),
};
