import { createElement } from 'react';

import type { Kind } from '#commands/model/arg-value.ts';

import type { Control, ControlProps } from './control.ts';
import { FileControl } from './FileControl.tsx';
import { FilesControl } from './FilesControl.tsx';
import { ChoicesControl, ManyControl, RefControl, RefsControl, WordsControl } from './picked-controls.tsx';
import { RangeControl, TimeControl } from './time-controls.tsx';
import {
  ChoiceControl,
  FlagControl,
  PairsControl,
  ParsedControl,
  SecretControl,
  TextControl,
} from './typed-controls.tsx';

/** The control for each kind. A missing one is a type error. */
const controls: { readonly [K in Kind]: Control<K> } = {
  text: TextControl,
  number: ParsedControl,
  flag: FlagControl,
  duration: ParsedControl,
  time: TimeControl,
  range: RangeControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  words: WordsControl,
  pairs: PairsControl,
  secret: SecretControl,
  file: FileControl,
  files: FilesControl,
  ref: RefControl,
  refs: RefsControl,
  many: ManyControl,
  query: ParsedControl,
};

/** The field of a param, by its kind. */
export function ParamControl(props: ControlProps) {
  return createElement(controls[props.param.kind] as unknown as Control, props);
}
