import { setTimeout as delay } from 'node:timers/promises';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';

import { runExports } from './run.ts';

export interface ExportWorker {
  /** Waits for the batch in progress. */
  close(): Promise<void>;
}

/** The interval at which to look for exports that are due. */
const ROUND_MS = 1000;

/** Runs exports in the background. All servers that share a database share the work. */
export function startExportWorker(app: App): ExportWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      try {
        await runExports(app, signal);
      } catch (error) {
        app.log.warn('A round of the exports failed.', { reason: describeError(error) });
      }
      await delay(ROUND_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
