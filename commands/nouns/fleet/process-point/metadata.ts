import type { MetadataTexts } from '#commands/kit/metadata-texts.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The rule for keys (spec 5). */
const KEY = /^[a-z0-9_.-]+$/;

export function keyProblem(texts: MetadataTexts = {}): Message | undefined {
  const key = Object.keys(texts).find((name) => !KEY.test(name));
  return key === undefined ? undefined : message('process-point:validation.key', { key });
}
