import { message, type Message } from '#commands/text/message.ts';

import type { Kind, KindValues } from './arg-value.ts';
import type { AnyEntity, Entity } from './entity.ts';
import type { FileContent } from './files.ts';
import type { ItemOrNew, Param, ParamShapes } from './kinds.ts';
import type { SelectedItems } from './target.ts';

type Options<K extends Kind> = Partial<Omit<ParamShapes[K], 'required' | 'entity' | 'options'>>;
type Names = readonly string[];
/** The shape of a generated enum, which protobuf-es emits as an `as const` object. */
type EnumObject = Readonly<Record<string, number>>;

function createParam<K extends Kind, R>(kind: K, shape: object): Param<K, R> {
  return { required: false, ...shape, kind } as unknown as Param<K, R>;
}

/**
 * Builders for params. Params are optional unless they are wrapped in {@link required}. `plan` and `run` receive
 * `undefined` for an absent argument. Entities are passed as functions, so nouns can refer to each other regardless of
 * import order.
 */
export const p = {
  text: (options: Options<'text'> = {}) => createParam<'text', string | undefined>('text', options),
  number: (options: Options<'number'> = {}) => createParam<'number', number | undefined>('number', options),
  flag: (options: Options<'flag'> = {}) => createParam<'flag', boolean>('flag', { fallback: false, ...options }),
  /** A flag with three states. If it is absent, nothing changes. */
  optionalFlag: (options: Options<'flag'> = {}) => createParam<'flag', boolean | undefined>('flag', options),
  duration: (options: Options<'duration'> = {}) => createParam<'duration', number | undefined>('duration', options),
  time: (options: Options<'time'> = {}) => createParam<'time', string | undefined>('time', options),
  range: (options: Options<'range'> = {}) => createParam<'range', KindValues['range'] | undefined>('range', options),
  choice: <const N extends Names>(options: N, otherOptions: Options<'choice'> = {}) =>
    createParam<'choice', N[number] | undefined>('choice', { options, ...otherOptions }),
  choices: <const N extends Names>(options: N, otherOptions: Options<'choices'> = {}) =>
    createParam<'choices', readonly N[number][] | undefined>('choices', { options, ...otherOptions }),
  words: (options: Options<'words'> = {}) => createParam<'words', readonly string[] | undefined>('words', options),
  pairs: (options: Options<'pairs'> = {}) => createParam<'pairs', KindValues['pairs'] | undefined>('pairs', options),
  secret: (options: Options<'secret'> = {}) => createParam<'secret', string | undefined>('secret', options),
  /**
   * `run` receives the content. With `clears`, an empty string removes the current file. `accept` lists media types.
   */
  file: (options: Options<'file'> & Pick<ParamShapes['file'], 'accept' | 'maxBytes'>) =>
    createParam<'file', FileContent | '' | undefined>('file', options),
  /** `run` receives the contents. */
  files: (options: Options<'files'> & Pick<ParamShapes['files'], 'accept' | 'maxBytes' | 'atMost'>) =>
    createParam<'files', readonly FileContent[] | undefined>('files', options),
  ref: <Item>(entity: () => Entity<Item>, options: Options<'ref'> = {}) =>
    createParam<'ref', Item | undefined>('ref', { entity, ...options }),
  /** A ref that can name something new: `run` receives `{ item }` or `{ create: name }`. */
  refOrNew: <Item>(entity: () => Entity<Item>, options: Options<'ref'> = {}) =>
    createParam<'ref', ItemOrNew<Item> | undefined>('ref', { entity, orCreate: true, ...options }),
  refs: <Item>(entity: () => Entity<Item>, options: Options<'refs'> = {}) =>
    createParam<'refs', readonly Item[] | undefined>('refs', { entity, ...options }),
  many: <Item>(entity: () => Entity<Item>, options: Options<'many'> = {}) =>
    createParam<'many', SelectedItems<Item>>('many', { entity, required: true, ...options }),
  query: (entity: () => AnyEntity, options: Options<'query'> = {}) =>
    createParam<'query', string | undefined>('query', { entity, ...options }),
  /** Returns a contract enum's names in contract order, without the excluded names. */
  names: <E extends EnumObject, Excluded extends keyof E & string = never>(
    enumObject: E,
    excludedNames: readonly Excluded[] = [],
  ) =>
    Object.keys(enumObject).filter((name) => !(excludedNames as readonly string[]).includes(name)) as Exclude<
      keyof E & string,
      Excluded
    >[],
};

/**
 * Makes a param required. The palette then prompts for it, a form marks it, and the CLI reports it if it is missing.
 */
export function required<K extends Kind, R>(param: Param<K, R>): Param<K, NonNullable<R>> {
  return { ...param, required: true } as unknown as Param<K, NonNullable<R>>;
}

/** Makes a param required unless the flag is set, or the other param has a value. */
export function requiredUnless<K extends Kind, R>(
  other: string,
  missingMessage: Message,
  param: Param<K, R>,
): Param<K, R> {
  return { ...param, required: true, unless: other, missingMessage } as unknown as Param<K, R>;
}

const REQUIRED_MESSAGE = message('core:validation.required');

/** Returns the message for a missing param. */
export function missingMessage(param: Param | undefined): Message {
  return param?.missingMessage ?? REQUIRED_MESSAGE;
}
