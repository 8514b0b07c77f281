import { printValue } from '#commands/line/line.ts';
import { ASK, type ArgValue } from '#commands/model/arg-value.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { canTargetSelection } from '#commands/run/availability.ts';
import { itemReference, selectionTarget } from '#commands/run/lookup.ts';
import { missingParams } from '#commands/run/resolve.ts';

/** An unfinished invocation: the arguments so far, the param being prompted for, and the text typed for it. */
export interface Draft {
  readonly command: Command;
  readonly args: Args;
  /** A param that the user returned to or added. If undefined, the first missing param is prompted for. */
  readonly activeParam?: string;
  readonly text: string;
  /** Display names of picked values, if they differ from the text in a line. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Starts a draft with the given arguments. A missing target defaults to the selection or the active row, if any, and so
 * does the single item that a command without a target is about.
 */
export function startDraft(command: Command, args: Args, context: Context): Draft {
  const subject = subjectArg(command, args, context);
  const allArgs = subject ? { [subject.name]: subject.value, ...omitArg(args, subject.name) } : args;
  // `--secret @ask` in a line prompts for an optional secret.
  const activeParam = Object.keys(allArgs).find((name) => allArgs[name] === ASK && !command.params[name]?.required);
  return { command, args: allArgs, ...(activeParam === undefined ? {} : { activeParam }), text: '', labels: {} };
}

interface Subject {
  readonly name: string;
  readonly value: ArgValue;
}

/** Returns the missing argument that the screen's target provides, if any. */
function subjectArg(command: Command, args: Args, context: Context): Subject | undefined {
  const target = targetParam(command);
  if (target) {
    if (args[target.name] !== undefined || !canTargetSelection(command, context)) return undefined;
    return { name: target.name, value: selectionTarget(target.entity, context) };
  }
  const id = singleItem(context);
  if (id === undefined || command.choosesItem) return undefined;
  const [name, param] =
    Object.entries(command.params).find(([, { kind, required }]) => kind === 'ref' && required) ?? [];
  if (name === undefined || args[name] !== undefined || param?.kind !== 'ref') return undefined;
  return param.entity().name === context.focus?.entity ? { name, value: itemReference(id) } : undefined;
}

/** Returns the id of the screen's target if it is a single item. */
function singleItem({ focus }: Context): string | undefined {
  const ids = focus?.target && 'ids' in focus.target ? focus.target.ids : [];
  return ids.length === 1 ? ids[0] : focus?.active;
}

function omitArg(args: Args, name: string): Args {
  const { [name]: _removed, ...others } = args;
  return others;
}

/** Returns the param to prompt for, or undefined if all required params have values. */
export function promptedParam({ command, args, activeParam }: Draft): string | undefined {
  return activeParam ?? missingParams(command, args)[0];
}

/** Returns the arguments with a value for a param, and whether they include all required params. */
export function withValue(
  { command, args }: Draft,
  name: string,
  value: ArgValue,
): { args: Args; isComplete: boolean } {
  const next = { ...args, [name]: value };
  return { args: next, isComplete: missingParams(command, next).length === 0 };
}

export function setArg(draft: Draft, name: string, value: ArgValue, label: string, keepsPrompting: boolean): Draft {
  return {
    ...draft,
    args: { ...draft.args, [name]: value },
    ...(keepsPrompting ? { activeParam: name } : { activeParam: undefined }),
    text: '',
    // The label of the last picked value does not describe a whole list.
    labels: keepsPrompting ? draft.labels : { ...draft.labels, [name]: label },
  };
}

export function promptFor(draft: Draft, name: string): Draft {
  return { ...draft, activeParam: name, text: '' };
}

/**
 * Goes one step back by canceling the prompt for an added param, or else by returning to the last argument as editable
 * text. An argument that can't be typed is removed. Returns undefined if the draft has no arguments.
 */
export function stepBack(draft: Draft): Draft | undefined {
  const { command, args, activeParam, labels } = draft;
  if (activeParam !== undefined && args[activeParam] === undefined && !command.params[activeParam]?.required) {
    return { ...draft, activeParam: undefined, text: '' };
  }
  const last = Object.keys(args).findLast((name) => args[name] !== undefined);
  if (last === undefined) return undefined;
  const { [last]: value, ...others } = args;
  const param = command.params[last];
  const isHidden = param?.kind === 'pairs' && param.hidden;
  const text = param && value !== undefined && !isHidden ? printValue(param, value) : '';
  return { command, args: others, activeParam: last, text: text === ASK ? '' : text, labels };
}

/** For up to this many items, the palette plans each highlighted row. For more items, it plans only accepted values. */
const MAX_PREVIEWED_ITEMS = 2000;

export function isPreviewed({ command, args }: Draft, context: Context): boolean {
  const target = targetParam(command);
  const value = target && args[target.name];
  const isFocus = value !== undefined && JSON.stringify(value) === JSON.stringify(context.focus?.target);
  return !isFocus || (context.focus?.count ?? 0) <= MAX_PREVIEWED_ITEMS;
}

/**
 * True for an editor with no values for its fields. It opens as a form because there is nothing to run yet. An editor
 * either has initial values, or reports in `problems` that it requires one of several params, such as the tags to add
 * or remove in `webhook tag`.
 */
export function isBareEditor(command: Command, args: Args): boolean {
  const hasFields = Object.keys(args).some((name) => args[name] !== undefined && !command.params[name]?.required);
  const edits = command.initial !== undefined || (command.problems !== undefined && targetParam(command) !== undefined);
  return edits && !hasFields && missingParams(command, args).length === 0 && !promptsForOneField(command);
}

/** True for an editor of a single field, such as `rename` or `set-lifecycle`, which prompts for the field. */
function promptsForOneField(command: Command): boolean {
  return Object.values(command.params).some((param) => param.required && param.kind !== 'many');
}

/**
 * True if the command opens as a form because it is a bare editor, or because it prompts next for multiline text or a
 * file.
 */
export function needsForm(command: Command, args: Args): boolean {
  const [missingParam] = missingParams(command, args);
  const param = missingParam === undefined ? undefined : command.params[missingParam];
  return isBareEditor(command, args) || (param?.kind === 'text' && param.multiline === true) || param?.kind === 'file';
}

/**
 * True if the palette offers optional params before the command runs, because users usually set more than the required
 * params of a new item. A command on a target runs as soon as its required params are set.
 */
export function offersOptionalParams({ command, args }: Pick<Draft, 'command' | 'args'>): boolean {
  return command.effect === 'write' && targetParam(command) === undefined && offeredParams(command, args).length > 0;
}

/** Returns the names of the optional params, without flags that replace a param that already has a value. */
export function offeredParams({ params }: Command, args: Args): readonly string[] {
  const isObsolete = (flag: string): boolean =>
    Object.entries(params).some(([name, { unless }]) => unless === flag && args[name] !== undefined);
  return Object.keys(params).filter((name) => !params[name]?.required && !isObsolete(name));
}

export function hasOptionalParams(command: Command): boolean {
  return Object.values(command.params).some((param) => !param.required);
}

/** The surface that a command starts in, and its arguments. */
export interface Intent {
  /** `form` if a value needs a form, `palette` if arguments are missing, or `none` if the command is complete. */
  readonly surface: 'form' | 'palette' | 'none';
  readonly args: Args;
}

/** Determines how a command starts. A missing target defaults to the screen's target. */
export function createIntent(command: Command, initialArgs: Args, context: Context): Intent {
  const { args } = startDraft(command, initialArgs, context);
  if (needsForm(command, args)) return { surface: 'form', args };
  return { surface: missingParams(command, args).length > 0 ? 'palette' : 'none', args };
}
