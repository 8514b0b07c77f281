import { useEffect, useState } from 'react';

import { targetParam, type Command, type ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { resolvePartial } from '#commands/run/resolve.ts';
import { report } from '#src/net/report.ts';
import { startDraft } from '#src/run/draft.ts';
import type { FormStart } from '#src/state/layers.ts';

import { draftOf, type FormDraft, type ItemOwner } from './draft.ts';

/** The initial state of a form, once loaded. */
export type InitialState =
  | { readonly status: 'loading' }
  /** `round` changes with every reload. */
  | { readonly status: 'ready'; readonly draft: FormDraft; readonly round: number }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry: () => void };

type LoadResult = { readonly draft: FormDraft; readonly round: number } | { readonly error: unknown };

/**
 * Loads the initial state of a form: the arguments, the selection as the target, and the current values of the selected
 * items. A new `round` reloads it. The previous state stays until then.
 */
export function useInitial(
  command: Command | undefined,
  args: Args,
  context: Context,
  round = 0,
  typed?: FormStart['typed'],
): InitialState {
  const [initialArgs] = useState(args);
  const [initialTexts] = useState(typed);
  const [result, setResult] = useState<LoadResult>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!command) return undefined;
    const abort = new AbortController();
    const requestContext: Context = { ...context, signal: abort.signal };
    loadDraft(command, initialArgs, requestContext, initialTexts).then(
      (draft) => {
        if (!abort.signal.aborted) setResult({ draft, round });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        report(error);
        setResult({ error });
      },
    );
    return () => abort.abort();
  }, [command, initialArgs, initialTexts, context, attempt, round]);
  if (!result) return { status: 'loading' };
  if ('draft' in result) return { status: 'ready', ...result };
  return {
    status: 'failed',
    error: result.error,
    retry: () => {
      setResult(undefined);
      setAttempt(attempt + 1);
    },
  };
}

/** Loads what a form starts with. */
export async function loadDraft(
  command: Command,
  args: Args,
  context: Context,
  typed: FormStart['typed'] = {},
): Promise<FormDraft> {
  const { args: draftArgs } = startDraft(command, args, context);
  if (!command.initial) return draftOf(command, draftArgs, { values: {} }, typed, context);
  const resolved = await resolveForInitial(command, draftArgs, context);
  const initialState = await command.initial(context, resolved);
  return { ...draftOf(command, draftArgs, initialState, typed, context), owners: ownersOf(command, resolved) };
}

/** Returns the organization that each item of the target belongs to. */
function ownersOf(command: Command, resolved: ResolvedArgs): readonly ItemOwner[] {
  const target = targetParam(command);
  if (!target?.entity.belongsTo) return [];
  const { entity, name } = target;
  const { items } = (resolved[name] ?? { items: [] }) as SelectedItems<unknown>;
  return items.map((item) => ({ item: entity.id(item), label: entity.label(item), ...entity.belongsTo!(item) }));
}

/** Resolves the arguments that determine the current values: the target, and the command's `initialParams`. */
async function resolveForInitial(command: Command, args: Args, context: Context): Promise<ResolvedArgs> {
  const target = targetParam(command)?.name;
  const targetArgs = target === undefined ? args : { [target]: args[target] };
  const resolved = await resolvePartial(command, targetArgs, context);
  const names = (command.initialParams ?? []).filter((name) => args[name] !== undefined);
  if (names.length === 0) return resolved;
  const otherArgs = Object.fromEntries(names.map((name) => [name, args[name]]));
  try {
    return { ...resolved, ...(await resolvePartial(command, otherArgs, context)) };
  } catch (error) {
    // An invalid argument is reported in its field.
    if (error instanceof CommandError) return resolved;
    throw error;
  }
}
