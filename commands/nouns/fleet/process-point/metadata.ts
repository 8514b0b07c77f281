import type { MetadataPairs } from '#commands/kit/metadata-pairs.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The rule for keys (spec 5). */
const KEY = /^[a-z0-9_.-]+$/;

export function keyProblem(pairs: MetadataPairs = {}): Message | undefined {
  const key = Object.keys(pairs).find((name) => !KEY.test(name));
  return key === undefined ? undefined : message('process-point:validation.key', { key });
}
