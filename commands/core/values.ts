import type { Context } from './context.ts';
import { fileContent } from './files.ts';
import type { ArgValue, Kind, KindValues, Param, ParamShapes } from './kinds.ts';
import { message, type Message } from './message.ts';

type Checks = { readonly [K in Kind]: (value: KindValues[K], param: ParamShapes[K]) => Message | undefined };

const pass = (): undefined => undefined;

function bounds(value: number, { min, max }: { readonly min?: number; readonly max?: number }): Message | undefined {
  if (min !== undefined && value < min) return message('core:validation.min', { value, min });
  if (max !== undefined && value > max) return message('core:validation.max', { value, max });
  return undefined;
}

/** What each kind checks by itself; a param's own `check` comes after. */
const checks: Checks = {
  text: pass,
  number: (value, param) => {
    if (!Number.isFinite(value)) return message('core:validation.numeric');
    if (param.integer && !Number.isSafeInteger(value)) return message('core:validation.integer');
    return bounds(value, param);
  },
  flag: pass,
  duration: (value, param) => (Number.isFinite(value) ? bounds(value, param) : message('core:validation.duration')),
  time: pass,
  range: pass,
  choice: (value, { options }) => oneOf(value, options),
  choices: (value, { options }) => value.map((each) => oneOf(each, options)).find(Boolean),
  words: pass,
  pairs: pass,
  secret: pass,
  file: (value, { accept, maxBytes }) => {
    const content = fileContent(value);
    if (!content) return undefined;
    const { name, mediaType, bytes } = content;
    if (!accept.includes(mediaType)) return message('core:validation.fileType', { name, types: accept.join(', ') });
    const most = Math.floor(maxBytes / 1024);
    return bytes.length > maxBytes ? message('core:validation.fileSize', { name, most }) : undefined;
  },
  ref: pass,
  refs: pass,
  many: (value, { atMost }) =>
    atMost !== undefined && 'ids' in value && value.ids.length > atMost
      ? message('core:validation.atMost', { max: atMost })
      : undefined,
  query: pass,
};

function oneOf(value: string, options: readonly string[]): Message | undefined {
  return options.includes(value)
    ? undefined
    : message('core:validation.option', { value, options: options.join(', ') });
}

/** The first thing wrong with a value that is present, as a sentence; undefined when it is fine. */
export function checkValue(param: Param, value: ArgValue, context: Context): Message | undefined {
  const blocked = param.blocked?.(context);
  if (blocked) return blocked;
  const ofKind = checks[param.kind] as (value: ArgValue, param: Param) => Message | undefined;
  const own = param.check as ((value: ArgValue, context: Context) => Message | undefined) | undefined;
  return ofKind(value, param) ?? own?.(value, context);
}
