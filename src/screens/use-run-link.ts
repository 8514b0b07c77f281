import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import { CommandError } from '#commands/model/errors.ts';
import type { Search } from '#src/address/address.ts';
import { showError } from '#src/run/show-error.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';

/**
 * Opens the command in the URL with its arguments filled in, but never runs it. Then removes the line from the URL, so
 * that going back does not reopen it.
 */
export function useRunLink(hasPanel: boolean): void {
  const { run }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (run === undefined) return;
    void openCommand(run, hasPanel);
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, run: undefined }), replace: true });
  }, [run, hasPanel, navigate]);
}

/** Holds keystrokes until the command is open. */
async function openCommand(line: string, hasPanel: boolean): Promise<void> {
  const keys = holdKeys();
  try {
    const { openLink } = await importOrThrow(import('./open-link.ts'));
    await openLink(line, hasPanel);
    keys.release();
  } catch (error) {
    keys.drop();
    // Retry with this line because the URL no longer contains it. A refused line would be refused again.
    showError(error, error instanceof CommandError ? undefined : () => void openCommand(line, hasPanel));
  }
}
