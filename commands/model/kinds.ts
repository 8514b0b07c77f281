import { ASK, type ArgValue, type Kind } from './arg-value.ts';
import type { AnyEntity } from './entity.ts';
import type { Common, PlainShapes } from './plain-param.ts';
import type { Target } from './target.ts';

/** The pairs whose values are still to be asked for. */
export function unaskedPairs(param: Param, value: ArgValue | undefined): readonly string[] {
  if (param.kind !== 'pairs' || !param.hidden || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, text]) => (text === ASK ? [name] : []));
}

/** A named thing that a ref found, or (where the param allows it) the name of one that is to be created. */
export type Found<Item> = { readonly item: Item } | { readonly create: string };

interface Reference {
  readonly entity: () => AnyEntity;
  readonly orCreate?: boolean;
  /** Of the name of what is created. */
  readonly maxLength?: number;
}

/** What a param of each kind is declared with. */
export interface ParamShapes extends PlainShapes {
  readonly ref: Common<string> & Reference;
  readonly refs: Common<readonly string[]> & Reference;
  readonly many: Common<Target> & { readonly entity: () => AnyEntity; readonly atMost?: number };
  readonly query: Common<string> & { readonly entity: () => AnyEntity };
}

/** `V` is what an invocation holds, `R` what `plan` and `run` receive; both are only types. */
export type Param<K extends Kind = Kind, R = unknown> = {
  [Each in K]: ParamShapes[Each] & { readonly kind: Each };
}[K] & {
  /** Boxed, so that `undefined` in `R` is not lost to the `?`. */
  readonly _resolved?: { readonly box: R };
};

export type Params = Readonly<Record<string, Param>>;

export type ResolvedOf<P> = P extends { readonly _resolved?: { readonly box: infer R } } ? R : never;
