import { basename } from 'node:path';

import { parseValue } from '#commands/line/line.ts';
import { argumentName } from '#commands/line/usage.ts';
import { ASK, type ArgValue, type KindValues } from '#commands/model/arg-value.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileEndings, fileValue, mediaTypeOf } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { type Param, type ParamShapes, unansweredPairs } from '#commands/model/kinds.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';
import { message, type Message } from '#commands/text/message.ts';

import { fileProblemMessage, type Io } from './io.ts';
import { missingArgumentMessage } from './missing-arguments.ts';
import type { Printer } from './printer.ts';
import { UsageError } from './usage-error.ts';

/** Thrown if an argument is missing and there is no terminal to prompt in. */
export class IncompleteLineError extends UsageError {}

/**
 * Prompts for the missing arguments of a line (required arguments, and secrets written as `@ask`), and reads the files
 * that the line names.
 *
 * @throws IncompleteLineError naming the missing argument, if there is no terminal to prompt in
 */
export async function complete(
  command: Command,
  input: Args,
  context: Context,
  io: Io,
  printer: Printer,
): Promise<Args> {
  const args: Record<string, ArgValue | undefined> = { ...input };
  const secrets = Object.keys(command.params).filter(
    (name) => command.params[name]?.kind === 'secret' && input[name] === ASK,
  );
  for (const name of new Set([...missingParams(command, input), ...secrets])) {
    const title = printer.translate(commandLabels.param(command, name));
    if (!io.isInteractive) {
      throw new IncompleteLineError(
        secrets.includes(name) ? secretMessage(command, name, title) : missingArgumentMessage(command, name),
      );
    }
    args[name] = await promptFor(command.params[name] as Param, title, context, io, printer);
  }
  for (const [name, param] of Object.entries(command.params)) {
    const value = args[name];
    const names = unansweredPairs(param, value);
    if (names.length > 0)
      args[name] = await promptForPairs(command, name, value as KindValues['pairs'], names, io, printer);
    if (param.kind === 'file' && typeof value === 'string') args[name] = await readFile(value, name, param, io);
    if (param.kind === 'files' && value !== undefined)
      args[name] = await Promise.all((value as KindValues['files']).map((path) => readFile(path, name, param, io)));
  }
  return args;
}

/**
 * Prompts for the hidden values of pairs, one by one.
 *
 * @throws IncompleteLineError if there is no terminal to prompt in
 */
async function promptForPairs(
  command: Command,
  param: string,
  pairs: KindValues['pairs'],
  names: readonly string[],
  io: Io,
  printer: Printer,
): Promise<KindValues['pairs']> {
  const answers: Record<string, string> = { ...pairs };
  for (const name of names) {
    const title = `${printer.translate(commandLabels.param(command, param))}: ${name}`;
    if (!io.isInteractive) {
      throw new IncompleteLineError(message('core:cli.ask.pair', { title, argument: argumentName(command, param) }));
    }
    while (answers[name] === ASK || answers[name] === '') {
      answers[name] = await io.ask(`${title}: `, { hidden: true });
      if (answers[name] === '') printer.error(message('core:validation.required'));
    }
  }
  return answers;
}

/**
 * Reads the file that `@name` refers to, or standard input for `@-`. Returns any other value unchanged.
 *
 * @throws CommandError if the file can't be read
 */
async function readFile(
  value: string,
  param: string,
  { accept }: Pick<ParamShapes['file'], 'accept'>,
  io: Io,
): Promise<string> {
  if (!value.startsWith('@')) return value;
  const path = value.slice(1);
  const isInput = path === '-';
  if (isInput && io.isInteractive) throw new CommandError(message('running:line.noInput'), param);
  const bytes = isInput ? await io.readInput() : io.readBytes(path);
  if (typeof bytes === 'string') throw new CommandError(fileProblemMessage(path, bytes), param);
  // Standard input has no name that tells its type.
  const name = isInput ? `stdin${fileEndings(accept)[0] ?? ''}` : basename(path);
  return fileValue({ name, mediaType: mediaTypeOf(name), bytes });
}

function secretMessage(command: Command, name: string, title: string): Message {
  return message('core:cli.ask.secret', { title, argument: argumentName(command, name) });
}

/** Prompts until the answer is valid. */
async function promptFor(param: Param, title: string, context: Context, io: Io, printer: Printer): Promise<ArgValue> {
  const options = 'options' in param ? ` (${param.options.join(', ')})` : '';
  for (;;) {
    const answer = await io.ask(`${title}${options}: `, { hidden: param.kind === 'secret' });
    const parsed = answer.trim() === '' ? { problem: message('core:validation.required') } : parseValue(param, answer);
    const problem = 'problem' in parsed ? parsed.problem : checkValue(param, parsed.value, context);
    if ('value' in parsed && !problem) return parsed.value;
    if (problem) printer.error(problem);
  }
}
