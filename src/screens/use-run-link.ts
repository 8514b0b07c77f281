import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import type { Search } from '#src/address/address.ts';
import { showError } from '#src/run/show-error.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';

/**
 * Opens the command in the URL, prefilled; a link alone never runs a command. Then removes the line from the URL, so
 * going back does not reopen it.
 */
export function useRunLink(hasPanel: boolean): void {
  const { run }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (run === undefined) return;
    void open(run, hasPanel);
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, run: undefined }), replace: true });
  }, [run, hasPanel, navigate]);
}

/** Holds keystrokes until the command is open. */
async function open(line: string, hasPanel: boolean): Promise<void> {
  const keys = holdKeys();
  try {
    const { openLink } = await importOrThrow(import('./open-link.ts'));
    await openLink(line, hasPanel);
    keys.release();
  } catch (error) {
    keys.drop();
    // The URL no longer holds the line.
    showError(error, () => void open(line, hasPanel));
  }
}
