import { parseValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Message } from '#commands/text/message.ts';
import { checkValue } from '#commands/run/values.ts';

import { candidate } from '#commands/text/score.ts';
import { createSearcher } from '#src/search/searcher.ts';
import { DONE, type Answer, type Asked, type Choice, type Prompt } from './prompt.ts';
import { suggestedChoice } from './typed.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The options that fit what is typed, best first; all of them, in their order, while nothing is. */
function fitting(options: readonly Option[], typed: string): readonly (Option & Pick<Choice, 'ranges'>)[] {
  if (typed.trim() === '') return options;
  return createSearcher(options.map(({ label, value }) => candidate(label === value ? label : `${label} ${value}`)))
    .search(typed, options.length)
    .map(({ index, ranges }) => {
      const option = options[index] as Option;
      return { ...option, ranges: ranges.filter(([, to]) => to <= option.label.length) };
    });
}

function optionsOf(
  { options, label }: { options: readonly string[]; label?: (option: string) => Message },
  say: Asked['say'],
): readonly Option[] {
  return options.map((value) => ({ value, label: label ? say(label(value)) : value }));
}

/** The row that ends choosing: first while nothing is typed, so that Enter twice takes one and goes on. */
export function doneRow(asked: Asked, labels: readonly string[]): readonly Choice[] {
  if (asked.text !== '' || labels.length === 0) return [];
  return [
    { id: DONE, label: asked.texts('palette.done', { values: labels.join(', ') }), value: asked.value as ArgValue },
  ];
}

export function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((text) => text !== value) : [...values, value];
}

export const choicePrompt: Prompt<'choice'> = {
  now: ({ param, text, say, context }) => ({
    rows: fitting(optionsOf(param, say), text).map((option) => {
      const problem = checkValue(param, option.value, context);
      return { ...option, id: option.value, ...(problem ? { reason: say(problem) } : {}) };
    }),
  }),
};

export const choicesPrompt: Prompt<'choices'> = {
  now: (asked) => {
    const { param, text, value: chosen = [], say } = asked;
    const options = optionsOf(param, say);
    const labels = options.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
    return {
      rows: [
        ...doneRow(asked, labels),
        ...fitting(options, text).map((option) => ({ ...option, id: option.value, toggles: true })),
      ],
    };
  },
};

/** Adds what was typed, several with commas, to what there is. */
function adding(asked: Asked, given: ArgValue | undefined, add: (read: ArgValue) => ArgValue): Answer {
  const param = asked.param as Param;
  const shown = given === undefined ? [] : [summary(given)];
  if (asked.text.trim() === '') return { rows: doneRow(asked, shown.filter(Boolean)) };
  const read = parseValue(param, asked.text);
  if ('problem' in read) return { rows: [], problem: read.problem };
  const value = add(read.value);
  const problem = checkValue(param, value, asked.context);
  return problem
    ? { rows: [], problem }
    : { rows: [{ id: 'typed', label: summary(read.value), detail: asked.texts('palette.add'), value, stays: true }] };
}

function summary(value: ArgValue): string {
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value)
    .map(([name, text]) => `${name}=${String(text)}`)
    .join(', ');
}

export const wordsPrompt: Prompt<'words'> = {
  now: (asked) =>
    adding(asked, asked.value, (read) => [...new Set([...(asked.value ?? []), ...(read as readonly string[])])]),
  later: async ({ param, text, context }, signal) => {
    const found = (await param.suggest?.({ ...context, signal }, text)) ?? [];
    return found.map((suggestion) => ({ ...suggestedChoice(suggestion, text), toggles: true }));
  },
};

export const pairsPrompt: Prompt<'pairs'> = {
  now: (asked) =>
    adding(asked, asked.value, (read) => ({
      ...asked.value,
      ...(read as Readonly<Record<string, string>>),
    })),
};
