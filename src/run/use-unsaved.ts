import { useEffect, useMemo, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { FormStart } from '#src/state/layers.ts';
import { recordUnsaved } from '#src/state/unsaved.ts';

/** True if the input includes more than the items that it acts on. */
export function hasInput({ params }: Pick<Command, 'params'>, { args, typed = {} }: FormStart): boolean {
  const hasValues = Object.keys(args).some((name) => params[name]?.kind !== 'many' && args[name] !== undefined);
  return hasValues || Object.keys(typed).length > 0;
}

/**
 * Records what the user entered for a command, in case the session ends, the organization changes, or the page reloads
 * before it is saved.
 */
export function useUnsaved({ params, effect }: Command, { id, args, typed }: FormStart, isRunning = false): void {
  const [form] = useState(() => Symbol(id));
  const input = useMemo(() => {
    const start = { id, args, ...(typed ? { typed } : {}) };
    return effect !== 'navigate' && hasInput({ params }, start) ? start : undefined;
  }, [id, params, effect, args, typed]);
  useEffect(() => recordUnsaved(form, input && { input, isRunning }), [form, input, isRunning]);
  useEffect(() => () => recordUnsaved(form, undefined), [form]);
}
