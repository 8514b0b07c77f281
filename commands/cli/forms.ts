import { commandWords } from '#commands/line/line-head.ts';
import { optionName, printValue } from '#commands/line/line.ts';
import type { Kind } from '#commands/model/arg-value.ts';
import { targetParam, texts, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, type Message, type Translate } from '#commands/text/message.ts';

/** The form of a value of each kind, as in `--every DURATION`. */
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
  file: '@FILE',
  ref: 'NAME',
  refs: 'NAME,…',
  many: 'FILTER',
  query: 'FILTER',
};

/** Returns the name of an argument: `DEVICES` if positional, else `--tag`. */
export function argumentName(command: Command, name: string): string {
  return command.positional.includes(name) ? optionName(name).toUpperCase() : `--${optionName(name)}`;
}

/** Returns an argument in the help: {@link argumentName} with the form of its value. */
export function argumentForm(command: Command, name: string, param: Param): string {
  const form = argumentName(command, name);
  if (command.positional.includes(name)) return form;
  if (param.kind === 'flag') return param.fallback === undefined ? `${form}, --no-${optionName(name)}` : form;
  return `${form} ${FORMS[param.kind]}`;
}

/** Returns the usage of a command: `device set-lifecycle DEVICES LIFECYCLE [OPTIONS]`. */
export function usageOf(command: Command, registry: Registry): string {
  const positional = command.positional.map((name) => {
    const word = argumentName(command, name);
    return command.params[name]?.required ? word : `[${word}]`;
  });
  const named = Object.entries(command.params).filter(([name]) => !command.positional.includes(name));
  const required = named
    .filter(([, param]) => param.required)
    .map(([name, param]) => argumentForm(command, name, param));
  const options = named.length > required.length ? ['[OPTIONS]'] : [];
  return [...commandWords(command, registry), ...positional, ...required, ...options].join(' ');
}

/** Returns a description of an argument and its values: `Lifecycle; INSTALLED, PAUSED; required`. */
export function describeArgument(command: Command, name: string, param: Param, say: Translate): string {
  const parts = [say(texts.param(command, name))];
  if ('options' in param) parts.push(param.options.join(', '));
  if (param.required) parts.push(say(message('core:cli.help.required')));
  else if (param.fallback !== undefined && param.kind !== 'flag') {
    parts.push(say(message('core:cli.help.default', { value: printValue(param, param.fallback) })));
  }
  return parts.join('; ');
}

/** Returns the line up to a positional argument: `tag create`, or `device set-identifier DEVICES`. */
function lineBefore(command: Command, name: string): string {
  const before = command.positional
    .slice(0, command.positional.indexOf(name))
    .map((previous) => argumentName(command, previous));
  return [command.noun, command.verb, ...before].join(' ');
}

/**
 * Returns the message for a missing argument where there is no terminal to prompt in: names it and says how to pass it.
 */
export function missingArgument(command: Command, name: string): Message {
  const param = command.params[name] as Param;
  if (param.missing) return param.missing;
  const title = texts.param(command, name);
  const isPositional = command.positional.includes(name);
  if (param.kind === 'many') {
    const ids = message(param.entity().short ? 'core:cli.missing.numbers' : 'core:cli.missing.ids');
    return message('core:cli.missing.many', { title, ids });
  }
  if (param.kind === 'flag') return message('core:cli.missing.flag', { title, option: argumentName(command, name) });
  const isChoice = param.kind === 'ref' || param.kind === 'refs' || 'options' in param;
  if (!isPositional) {
    const key = isChoice ? 'core:cli.missing.whichOption' : 'core:cli.missing.whatOption';
    return message(key, { title, option: argumentForm(command, name, param) });
  }
  if ('options' in param) return message('core:cli.missing.choice', { title, options: param.options.join(', ') });
  if (isChoice) return message('core:cli.missing.which', { title });
  return message('core:cli.missing.what', { title, line: lineBefore(command, name) });
}

/** Returns the message for an edit command without a field to set; undefined for any other line. */
export function missingFields(command: Command, input: Args): Message | undefined {
  const target = targetParam(command);
  const fields = Object.entries(command.params).filter(([name]) => name !== target?.name);
  const isEditor =
    command.initial !== undefined && target !== undefined && fields.every(([, { required }]) => !required);
  if (!isEditor || fields.some(([name]) => input[name] !== undefined)) return undefined;
  return message('core:cli.missing.any', {
    options: fields.map(([name, param]) => argumentForm(command, name, param)).join(', '),
  });
}
