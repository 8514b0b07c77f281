import { fitsSelection } from '#commands/run/availability.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK, type ArgValue } from '#commands/model/arg-value.ts';
import { printValue } from '#commands/line/line.ts';
import { selectionTarget } from '#commands/run/lookup.ts';
import { missingParams } from '#commands/run/resolve.ts';

/** A command on its way to be run: what was given, which param is asked for, and what is typed for it. */
export interface Draft {
  readonly command: Command;
  readonly args: Args;
  /** A param that was gone back to or added; without it the first one that is missing is asked for. */
  readonly chosen?: string;
  readonly text: string;
  /** What picked values are called, where that is not what a line says. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Begins with what was given; a target that was not is the selection, or the active row, where there is one. */
export function startDraft(command: Command, args: Args, context: Context): Draft {
  const target = targetParam(command);
  const given =
    target && args[target.name] === undefined && fitsSelection(command, context)
      ? { [target.name]: selectionTarget(target.entity, context), ...args }
      : args;
  // `--secret @ask` in a line asks for one that may be left out.
  const chosen = Object.keys(given).find((name) => given[name] === ASK && !command.params[name]?.required);
  return { command, args: given, ...(chosen === undefined ? {} : { chosen }), text: '', labels: {} };
}

/** The param that is asked for now; undefined when everything that is required was given. */
export function askedOf({ command, args, chosen }: Draft): string | undefined {
  return chosen ?? missingParams(command, args)[0];
}

/** The arguments as they would be with a value for a param, and whether that is all that is required. */
export function withValue({ command, args }: Draft, name: string, value: ArgValue): { args: Args; complete: boolean } {
  const next = { ...args, [name]: value };
  return { args: next, complete: missingParams(command, next).length === 0 };
}

export function setArg(draft: Draft, name: string, value: ArgValue, label: string, stays: boolean): Draft {
  return {
    ...draft,
    args: { ...draft.args, [name]: value },
    ...(stays ? { chosen: name } : { chosen: undefined }),
    text: '',
    // Of several, the last one picked does not say what all of them are.
    labels: stays ? draft.labels : { ...draft.labels, [name]: label },
  };
}

export function askFor(draft: Draft, name: string): Draft {
  return { ...draft, chosen: name, text: '' };
}

/**
 * One step back: the param that was added is not asked for after all, else the value given last is edited as text (one
 * that cannot be typed again is just taken out). Undefined when there is nothing left but the command.
 */
export function stepBack(draft: Draft): Draft | undefined {
  const { command, args, chosen, labels } = draft;
  if (chosen !== undefined && args[chosen] === undefined && !command.params[chosen]?.required) {
    return { ...draft, chosen: undefined, text: '' };
  }
  const last = Object.keys(args).findLast((name) => args[name] !== undefined);
  if (last === undefined) return undefined;
  const { [last]: value, ...others } = args;
  const param = command.params[last];
  const hidden = param?.kind === 'pairs' && param.hidden;
  const text = param && value !== undefined && !hidden ? printValue(param, value) : '';
  return { command, args: others, chosen: last, text: text === ASK ? '' : text, labels };
}

/** Items that a plan is made for again with each row that is pointed at; of more only once a value was taken. */
const PREVIEWED = 2000;

export function isPreviewed({ command, args }: Draft, context: Context): boolean {
  const target = targetParam(command);
  const value = target && args[target.name];
  const isFocus = value !== undefined && JSON.stringify(value) === JSON.stringify(context.focus?.target);
  return !isFocus || (context.focus?.count ?? 0) <= PREVIEWED;
}

/**
 * An editor that was told only what to edit: there is nothing to run yet, and all it could ask for is a form. It has
 * values to start from, or takes one of several things and says so (`webhook tag`: add or remove).
 */
export function isBareEditor(command: Command, args: Args): boolean {
  const message = Object.keys(args).some((name) => args[name] !== undefined && !command.params[name]?.required);
  const edits = command.initial !== undefined || (command.problems !== undefined && targetParam(command) !== undefined);
  return edits && !message && missingParams(command, args).length === 0 && !asksForOne(command);
}

/** An editor of one thing asks for it: `rename`, `set-lifecycle`. */
function asksForOne(command: Command): boolean {
  return Object.values(command.params).some((param) => param.required && param.kind !== 'many');
}

/** Text of several lines, which the one line of the palette would lose, and files, which it cannot be given. */
export function needsForm(command: Command, args: Args): boolean {
  const [asked] = missingParams(command, args);
  const param = asked === undefined ? undefined : command.params[asked];
  return isBareEditor(command, args) || (param?.kind === 'text' && param.multiline === true) || param?.kind === 'file';
}

/**
 * Whether what may be left out is offered before a command runs: something new is seldom only what it must have. What
 * acts on a target runs as soon as it has what it needs.
 */
export function offersMore({ command }: Draft): boolean {
  return command.effect === 'write' && targetParam(command) === undefined && hasMore(command);
}

/** Whether there is anything that may be left out. */
export function hasMore(command: Command): boolean {
  return Object.values(command.params).some((param) => !param.required);
}

/** What asking for a command comes to, on the target of the screen where it was given none. */
export interface Intent {
  /** A form for what one line cannot take, the palette for what is missing; else it has all that it needs. */
  readonly surface: 'form' | 'palette' | 'none';
  readonly args: Args;
}

export function intentOf(command: Command, given: Args, context: Context): Intent {
  const { args } = startDraft(command, given, context);
  if (needsForm(command, args)) return { surface: 'form', args };
  return { surface: missingParams(command, args).length > 0 ? 'palette' : 'none', args };
}
