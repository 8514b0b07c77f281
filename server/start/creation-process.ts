// The process that initializes a new data folder, forked by data-creation.ts. Exits early if the server exits; the next
// start reuses the completed steps.
import process from 'node:process';

import { createSealer } from '#server/base/secrets.ts';

import type { Creation, CreationResult } from './data-creation.ts';
import { openData } from './data.ts';
import { connectEventSinks } from './event-sinks.ts';
import { explainFailure } from './failures.ts';
import { logBug, openLog } from './log.ts';

process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(1));

process.once('message', ({ settings, sealingKey }: Creation) => {
  void create(settings, Buffer.from(sealingKey, 'base64')).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});

async function create(settings: Creation['settings'], sealingKey: Buffer): Promise<CreationResult> {
  const log = openLog();
  connectEventSinks();
  try {
    const db = await openData(settings, createSealer(sealingKey), log);
    await db.close();
    return { created: true };
  } catch (error) {
    const explanation = explainFailure(error);
    if (explanation === undefined) logBug(log, error);
    return { failed: explanation };
  }
}
