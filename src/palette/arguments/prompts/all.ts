import type { Kind } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';

import { manyPrompt, queryPrompt, refPrompt, refsPrompt } from './items.ts';
import { choicePrompt, choicesPrompt, pairsPrompt, wordsPrompt } from './multiple.ts';
import type { Prompt } from './prompt.ts';
import { DURATIONS, filePrompt, flagPrompt, RANGES, secretPrompt, textPrompt, TIMES, typedPrompt } from './text.ts';

/** The prompt for each kind. A missing one is a type error. */
const prompts: { readonly [K in Kind]: Prompt<K> } = {
  text: textPrompt,
  number: typedPrompt(),
  flag: flagPrompt,
  duration: typedPrompt(DURATIONS),
  time: typedPrompt(TIMES),
  range: typedPrompt(RANGES),
  choice: choicePrompt,
  choices: choicesPrompt,
  words: wordsPrompt,
  pairs: pairsPrompt,
  secret: secretPrompt,
  file: filePrompt,
  files: filePrompt,
  ref: refPrompt,
  refs: refsPrompt,
  many: manyPrompt,
  query: queryPrompt,
};

export function findPrompt(kind: Kind): Prompt {
  return prompts[kind] as unknown as Prompt;
}

/** True if the typed text can be a list, separated by commas. */
export function takesList({ kind }: Param): boolean {
  return ['choices', 'words', 'refs', 'many'].includes(kind);
}
