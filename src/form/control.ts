import type { ReactNode } from 'react';

import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import type { Message } from '#commands/text/message.ts';

/** Props of the control for a param. */
export interface ControlProps<K extends Kind = Kind> {
  readonly param: ParamShapes[K] & { readonly kind: K };
  readonly value: KindValues[K] | undefined;
  /** True if items differ in this value. The control shows 'Various' until something is entered (spec 5). */
  readonly isVarious: boolean;
  /** Invalid text that the field starts with. */
  readonly invalidText?: string | undefined;
  /** Receives the value (undefined for none), or the problem with the typed text and the text itself. */
  readonly onValue: (value: ArgValue | undefined, problem?: Message, text?: string) => void;
  readonly context: Context;
}

export type Control<K extends Kind = Kind> = (props: ControlProps<K>) => ReactNode;
