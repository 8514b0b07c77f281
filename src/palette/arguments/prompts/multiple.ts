import { parseValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { checkValue } from '#commands/run/values.ts';
import type { Message } from '#commands/text/message.ts';
import { TIER } from '#commands/text/score.ts';
import { findMatchingOptions, type Option } from '#src/search/options.ts';

import { DONE, NOTHING, type PromptResult, type PromptInput, type Choice, type Prompt } from './prompt.ts';
import { suggestedChoices } from './text.ts';

function optionsOf(
  { options, label }: { options: readonly string[]; label?: (option: string) => Message },
  translate: PromptInput['translate'],
): readonly Option[] {
  return options.map((value) => ({ value, label: label ? translate(label(value)) : value }));
}

/**
 * Returns the row that ends a multiple selection. It comes first while nothing is typed, so pressing Enter twice adds
 * one value and continues.
 */
export function doneRow(input: PromptInput, labels: readonly string[]): readonly Choice[] {
  if (input.text !== '' || labels.length === 0) return [];
  return [{ id: DONE, label: input.t('palette.done', { values: labels.join(', ') }), value: input.value as ArgValue }];
}

export function toggleValue(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((text) => text !== value) : [...values, value];
}

/**
 * Excludes unavailable options. If only unavailable options match the typed text, lists them with the reason, so users
 * who type `decommissioned` see why they can't choose it. Matches of scattered letters are too loose to count.
 */
export const choicePrompt: Prompt<'choice'> = {
  immediateRows: ({ param, text, translate, context }) => {
    const matches = findMatchingOptions(optionsOf(param, translate), text).map(({ tier, ...option }) => {
      const problem = checkValue(param, option.value, context);
      return { row: { ...option, id: option.value, ...(problem ? { reason: translate(problem) } : {}) }, tier };
    });
    const closeMatches = matches.filter(({ tier }) => tier !== TIER.scattered);
    const areAllUnavailable =
      closeMatches.length > 0 && text.trim() !== '' && closeMatches.every(({ row }) => 'reason' in row);
    const visibleMatches = areAllUnavailable ? closeMatches : matches.filter(({ row }) => !('reason' in row));
    return { rows: visibleMatches.map(({ row }) => row) };
  },
};

export const choicesPrompt: Prompt<'choices'> = {
  immediateRows: (input) => {
    const { param, text, value: currentValues = [], translate } = input;
    const options = optionsOf(param, translate);
    const labels = options.filter(({ value }) => currentValues.includes(value)).map(({ label }) => label);
    const rows = findMatchingOptions(options, text).map(({ tier: _tier, ...option }) => ({
      ...option,
      id: option.value,
      toggles: true,
    }));
    return rows.length === 0 && text.includes(',') ? addList(input) : { rows: [...doneRow(input, labels), ...rows] };
  },
};

/** Adds the typed list to the current values. */
export function addList(input: PromptInput): PromptResult {
  return addTyped(input, input.value, (parsed) => [
    ...new Set([...((input.value ?? []) as readonly string[]), ...(parsed as readonly string[])]),
  ]);
}

/** Adds the typed values, separated by commas, to the current ones. */
function addTyped(
  input: PromptInput,
  current: ArgValue | undefined,
  add: (parsed: ArgValue) => ArgValue,
): PromptResult {
  const param = input.param as Param;
  const labels = current === undefined ? [] : [summary(current)];
  if (input.text.trim() === '') return { rows: doneRow(input, labels.filter(Boolean)) };
  const parsed = parseValue(param, input.text);
  if ('problem' in parsed) return { rows: [], problem: parsed.problem };
  const value = add(parsed.value);
  const problem = checkValue(param, value, input.context);
  return problem
    ? { rows: [], problem }
    : {
        rows: [{ id: 'typed', label: summary(parsed.value), detail: input.t('palette.add'), value, keepsOpen: true }],
      };
}

function summary(value: ArgValue): string {
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value)
    .map(([name, text]) => `${name}=${String(text)}`)
    .join(', ');
}

export const wordsPrompt: Prompt<'words'> = {
  immediateRows: (input) => (input.param.closed && !/^$|,/.test(input.text) ? NOTHING : addList(input)),
  load: async ({ param, text, context }, signal) => {
    const suggestions = (await param.suggest?.({ ...context, signal }, text)) ?? [];
    return suggestedChoices(suggestions, text, param).map((choice) => ({ ...choice, toggles: true }));
  },
};

export const pairsPrompt: Prompt<'pairs'> = {
  immediateRows: (input) =>
    addTyped(input, input.value, (parsed) => ({
      ...input.value,
      ...(parsed as Readonly<Record<string, string>>),
    })),
};
