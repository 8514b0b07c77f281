import { ASK, type ArgValue, type Kind } from './arg-value.ts';
import type { AnyEntity } from './entity.ts';
import type { CommonOptions, PlainShapes } from './plain-param.ts';
import type { Target } from './target.ts';

/** Returns the names of pairs without a value so far. */
export function unansweredPairs(param: Param, value: ArgValue | undefined): readonly string[] {
  if (param.kind !== 'pairs' || !param.hidden || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, text]) => (text === ASK ? [name] : []));
}

/** The item that a ref resolved to or, if the param allows it, the name of an item to create. */
export type ItemOrNew<Item> = { readonly item: Item } | { readonly create: string };

interface Reference {
  readonly entity: () => AnyEntity;
  readonly orCreate?: boolean;
  /** Maximum length of the name of a new item. */
  readonly maxLength?: number;
}

/** The options of each kind of param. */
export interface ParamShapes extends PlainShapes {
  readonly ref: CommonOptions<string> & Reference;
  readonly refs: CommonOptions<readonly string[]> & Reference;
  readonly many: CommonOptions<Target> & { readonly entity: () => AnyEntity; readonly atMost?: number };
  readonly query: CommonOptions<string> & { readonly entity: () => AnyEntity };
}

/** A param of kind `K`. `R` is the type of the value that `plan` and `run` receive. */
export type Param<K extends Kind = Kind, R = unknown> = {
  [Name in K]: ParamShapes[Name] & { readonly kind: Name };
}[K] & {
  /** Boxed, so the optional `?` does not absorb an `undefined` in `R`. */
  readonly _resolved?: { readonly box: R };
};

export type Params = Readonly<Record<string, Param>>;

export type ResolvedOf<P> = P extends { readonly _resolved?: { readonly box: infer R } } ? R : never;
