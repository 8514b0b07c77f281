import { argumentForm, argumentName } from '#commands/line/usage.ts';
import { targetParam, commandLabels, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Returns the line up to a positional argument: `tag create`, or `device set-identifier DEVICES`. */
function lineBefore(command: Command, name: string): string {
  const before = command.positional
    .slice(0, command.positional.indexOf(name))
    .map((previous) => argumentName(command, previous));
  return [command.noun, command.verb, ...before].join(' ');
}

/**
 * Returns a message that names a missing argument and explains how to pass it, for use without a terminal.
 */
export function missingArgumentMessage(command: Command, name: string): Message {
  const param = command.params[name] as Param;
  if (param.missingMessage) return param.missingMessage;
  const title = commandLabels.param(command, name);
  const isPositional = command.positional.includes(name);
  if (param.kind === 'many') {
    const ids = message(param.entity().shortLabel ? 'core:cli.missing.numbers' : 'core:cli.missing.ids');
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

/** Returns the message for an edit command that sets no field. Undefined for any other line. */
export function nothingToSetMessage(command: Command, input: Args): Message | undefined {
  const target = targetParam(command);
  const fields = Object.entries(command.params).filter(([name]) => name !== target?.name);
  const isEditCommand =
    command.initial !== undefined && target !== undefined && fields.every(([, { required }]) => !required);
  if (!isEditCommand || fields.some(([name]) => input[name] !== undefined)) return undefined;
  return message('core:cli.missing.any', {
    options: fields.map(([name, param]) => argumentForm(command, name, param)).join(', '),
  });
}
