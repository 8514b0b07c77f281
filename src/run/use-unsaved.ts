import { useEffect, useMemo, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { FormStart } from '#src/state/layers.ts';
import { recordUnsaved } from '#src/state/unsaved.ts';

/** Records what the person entered for a command, in case the session ends before it is saved. */
export function useUnsaved({ params }: Command, { id, args, typed }: FormStart): void {
  const [form] = useState(() => Symbol(id));
  const input = useMemo(() => {
    const hasValues = Object.keys(args).some((name) => params[name]?.kind !== 'many' && args[name] !== undefined);
    return hasValues || Object.keys(typed ?? {}).length > 0 ? { id, args, ...(typed ? { typed } : {}) } : undefined;
  }, [id, params, args, typed]);
  useEffect(() => recordUnsaved(form, input), [form, input]);
  useEffect(() => () => recordUnsaved(form, undefined), [form]);
}
