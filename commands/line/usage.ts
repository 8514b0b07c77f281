import type { Kind } from '#commands/model/arg-value.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Param, ParamShapes } from '#commands/model/kinds.ts';
import { matchOption } from '#commands/query/values.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, shortList, type Translate } from '#commands/text/message.ts';

import { commandWords } from './line-head.ts';
import { optionName, printValue } from './line.ts';

/** The placeholder for a value of each kind, as in `--every DURATION`. */
const FORMS: { readonly [K in Kind]: string } = {
  text: 'TEXT',
  number: 'NUMBER',
  flag: '',
  duration: 'DURATION',
  time: 'TIME',
  range: 'RANGE',
  choice: 'NAME',
  choices: 'NAME,…',
  words: 'TEXT,…',
  pairs: 'NAME=TEXT',
  secret: '@ask',
  file: 'FILE',
  files: 'FILE,…',
  ref: 'NAME',
  refs: 'NAME,…',
  many: 'FILTER',
  query: 'FILTER',
};

/** Returns an argument's name: `DEVICES` if positional, else `--tag`. */
export function argumentName(command: Command, name: string): string {
  return command.positional.includes(name) ? optionName(name).toUpperCase() : `--${optionName(name)}`;
}

/** Returns an argument as the help shows it: {@link argumentName} with a placeholder for its value. */
export function argumentForm(command: Command, name: string, param: Param): string {
  const form = argumentName(command, name);
  if (command.positional.includes(name)) return form;
  if (param.kind === 'flag') return param.fallback === undefined ? `${form}, --no-${optionName(name)}` : form;
  return `${form} ${FORMS[param.kind]}`;
}

/** Returns the usage of a command: `device set-lifecycle DEVICES LIFECYCLE [OPTIONS]`. */
export function printUsage(command: Command, registry: Registry): string {
  const positional = command.positional.map((name) => {
    const word = argumentName(command, name);
    return command.params[name]?.required ? word : `[${word}]`;
  });
  const namedParams = Object.entries(command.params).filter(([name]) => !command.positional.includes(name));
  const requiredForms = namedParams
    .filter(([, param]) => param.required && param.unless === undefined)
    .map(([name, param]) => argumentForm(command, name, param));
  const options = namedParams.length > requiredForms.length ? ['[OPTIONS]'] : [];
  return [...commandWords(command, registry), ...positional, ...requiredForms, ...options].join(' ');
}

interface DescriptionOptions {
  /** Lists only a few of many values, as labels if a line accepts those too. */
  readonly short?: boolean;
}

/** Maximum number of values in a short description. */
const MAX_NAMES = 5;

/** Returns a description of an argument and its values: `Lifecycle; INSTALLED, PAUSED; required`. */
export function describeArgument(
  command: Command,
  name: string,
  param: Param,
  translate: Translate,
  { short = false }: DescriptionOptions = {},
): string {
  const parts = [translate(commandLabels.param(command, name))];
  if ('options' in param) parts.push(short ? listFewOptions(param, translate) : param.options.join(', '));
  if (param.required && param.unless !== undefined) {
    parts.push(translate(message('running:usage.requiredUnless', { argument: argumentName(command, param.unless) })));
  } else if (param.required) parts.push(translate(message('running:usage.required')));
  else if (param.fallback !== undefined && param.kind !== 'flag') {
    parts.push(translate(message('running:usage.default', { value: printValue(param, param.fallback) })));
  }
  return parts.join('; ');
}

/** Lists a few of many options: `Message received, Alarm triggered …, and 35 more`. */
function listFewOptions(
  { options, label }: Pick<ParamShapes['choice'], 'options' | 'label'>,
  translate: Translate,
): string {
  if (options.length <= MAX_NAMES) return options.join(', ');
  const wordsOf = (option: string): string => {
    const words = label ? translate(label(option)) : option;
    return matchOption(words, options) === option ? words : option;
  };
  const names = shortList(options.map(wordsOf), MAX_NAMES);
  return typeof names === 'object' ? translate(names) : (names ?? '');
}
