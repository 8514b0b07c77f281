import type { Kind } from '#commands/model/arg-value.ts';

import { manyPrompt, queryPrompt, refPrompt, refsPrompt } from './items.ts';
import type { Prompt } from './prompt.ts';
import { choicePrompt, choicesPrompt, pairsPrompt, wordsPrompt } from './several.ts';
import { DURATIONS, filePrompt, flagPrompt, RANGES, secretPrompt, textPrompt, TIMES, typed } from './typed.ts';

/** Every kind's prompt: a kind that the palette cannot ask for is a type error. */
const prompts: { readonly [K in Kind]: Prompt<K> } = {
  text: textPrompt,
  number: typed(),
  flag: flagPrompt,
  duration: typed(DURATIONS),
  time: typed(TIMES),
  range: typed(RANGES),
  choice: choicePrompt,
  choices: choicesPrompt,
  words: wordsPrompt,
  pairs: pairsPrompt,
  secret: secretPrompt,
  file: filePrompt,
  ref: refPrompt,
  refs: refsPrompt,
  many: manyPrompt,
  query: queryPrompt,
};

export function promptOf(kind: Kind): Prompt {
  return prompts[kind] as unknown as Prompt;
}
