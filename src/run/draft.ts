import { printValue } from '#commands/line/line.ts';
import { ASK, type ArgValue } from '#commands/model/arg-value.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { canTargetSelection } from '#commands/run/availability.ts';
import { selectionTarget } from '#commands/run/lookup.ts';
import { missingParams } from '#commands/run/resolve.ts';

/** An unfinished invocation: the arguments so far, the param being prompted for, and the text typed for it. */
export interface Draft {
  readonly command: Command;
  readonly args: Args;
  /** A param that the user returned to or added; otherwise the first missing one is prompted for. */
  readonly chosen?: string;
  readonly text: string;
  /** Display names of picked values, if they differ from the text in a line. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Starts a draft with the given arguments. A missing target defaults to the selection or the active row, if any. */
export function startDraft(command: Command, args: Args, context: Context): Draft {
  const target = targetParam(command);
  const allArgs =
    target && args[target.name] === undefined && canTargetSelection(command, context)
      ? { [target.name]: selectionTarget(target.entity, context), ...without(args, target.name) }
      : args;
  // `--secret @ask` in a line prompts for an optional secret.
  const chosen = Object.keys(allArgs).find((name) => allArgs[name] === ASK && !command.params[name]?.required);
  return { command, args: allArgs, ...(chosen === undefined ? {} : { chosen }), text: '', labels: {} };
}

function without(args: Args, name: string): Args {
  const { [name]: _removed, ...others } = args;
  return others;
}

/** Returns the param to prompt for; undefined once all required ones have values. */
export function promptedParam({ command, args, chosen }: Draft): string | undefined {
  return chosen ?? missingParams(command, args)[0];
}

/** Returns the arguments with a value for a param, and whether they include everything required. */
export function withValue({ command, args }: Draft, name: string, value: ArgValue): { args: Args; complete: boolean } {
  const next = { ...args, [name]: value };
  return { args: next, complete: missingParams(command, next).length === 0 };
}

export function setArg(draft: Draft, name: string, value: ArgValue, label: string, keepsPrompting: boolean): Draft {
  return {
    ...draft,
    args: { ...draft.args, [name]: value },
    ...(keepsPrompting ? { chosen: name } : { chosen: undefined }),
    text: '',
    // For a list, the label of the last picked value does not describe all of them.
    labels: keepsPrompting ? draft.labels : { ...draft.labels, [name]: label },
  };
}

export function promptFor(draft: Draft, name: string): Draft {
  return { ...draft, chosen: name, text: '' };
}

/**
 * Goes one step back: cancels the prompt for an added param, or else returns to the last argument as editable text. An
 * argument that cannot be typed is removed. Undefined if only the command is left.
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
  const isHidden = param?.kind === 'pairs' && param.hidden;
  const text = param && value !== undefined && !isHidden ? printValue(param, value) : '';
  return { command, args: others, chosen: last, text: text === ASK ? '' : text, labels };
}

/** Up to this many items, the plan follows each highlighted row; beyond that, it waits for an accepted value. */
const MAX_PREVIEWED = 2000;

export function isPreviewed({ command, args }: Draft, context: Context): boolean {
  const target = targetParam(command);
  const value = target && args[target.name];
  const isFocus = value !== undefined && JSON.stringify(value) === JSON.stringify(context.focus?.target);
  return !isFocus || (context.focus?.count ?? 0) <= MAX_PREVIEWED;
}

/**
 * True for an editor without values for its fields: there is nothing to run yet, so it opens as a form. An editor
 * either has initial values, or requires one of several params and reports that in `problems` (`webhook tag`: add or
 * remove).
 */
export function isBareEditor(command: Command, args: Args): boolean {
  const hasFields = Object.keys(args).some((name) => args[name] !== undefined && !command.params[name]?.required);
  const edits = command.initial !== undefined || (command.problems !== undefined && targetParam(command) !== undefined);
  return edits && !hasFields && missingParams(command, args).length === 0 && !promptsForOneField(command);
}

/** True for an editor of a single field, which prompts for the field: `rename`, `set-lifecycle`. */
function promptsForOneField(command: Command): boolean {
  return Object.values(command.params).some((param) => param.required && param.kind !== 'many');
}

/** True if the command opens as a form: it is a bare editor, or its next prompt is for multiline text or a file. */
export function needsForm(command: Command, args: Args): boolean {
  const [missing] = missingParams(command, args);
  const param = missing === undefined ? undefined : command.params[missing];
  return isBareEditor(command, args) || (param?.kind === 'text' && param.multiline === true) || param?.kind === 'file';
}

/**
 * True if the palette offers optional params before the command runs, because users usually set more than the required
 * params of a new item. A command on a target runs as soon as its required params are set.
 */
export function offersOptionalParams({ command }: Draft): boolean {
  return command.effect === 'write' && targetParam(command) === undefined && hasOptionalParams(command);
}

export function hasOptionalParams(command: Command): boolean {
  return Object.values(command.params).some((param) => !param.required);
}

/** The surface that a command starts in, and its arguments. */
export interface Intent {
  /** A form for values that need one, the palette for missing arguments; `none` if the command is complete. */
  readonly surface: 'form' | 'palette' | 'none';
  readonly args: Args;
}

/** Determines how a command starts. A missing target defaults to the screen's target. */
export function intentOf(command: Command, initialArgs: Args, context: Context): Intent {
  const { args } = startDraft(command, initialArgs, context);
  if (needsForm(command, args)) return { surface: 'form', args };
  return { surface: missingParams(command, args).length > 0 ? 'palette' : 'none', args };
}
