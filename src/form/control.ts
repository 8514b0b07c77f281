import type { ReactNode } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import type { Message } from '#commands/text/message.ts';

/** What the control of a param is given. */
export interface ControlProps<K extends Kind = Kind> {
  readonly param: ParamShapes[K] & { readonly kind: K };
  readonly value: KindValues[K] | undefined;
  /** Items differ in it: shown as 'Various' with an empty value until something is entered (spec 5). */
  readonly various: boolean;
  /** What was typed before the form was there, and could not be read. */
  readonly typed?: string | undefined;
  /** A value, or undefined for none; or what is wrong with the text that was typed. */
  readonly onValue: (value: ArgValue | undefined, problem?: Message) => void;
  readonly context: Context;
}

export type Control<K extends Kind = Kind> = (props: ControlProps<K>) => ReactNode;
