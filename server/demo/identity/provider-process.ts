// The embedded identity provider's own process, forked by provider.ts: the emulator takes about 200 MB and parses
// slowly, which must not stall the server. It lives as long as its channel to the server.
import process from 'node:process';

import { createSealer } from '#server/base/secrets.ts';

import { openAccountsFile } from './emulator/accounts-file.ts';
import { type Emulator, startEmulator } from './emulator/emulator.ts';
import type { FromProvider, ProviderStart, ToProvider } from './emulator/messages.ts';

const post = (message: FromProvider): void => void process.send?.(message);

// Ctrl-C reaches the whole process group. The server stops this process itself, after its own last request.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

let emulator: Emulator | undefined;
let save: () => Promise<void> = async () => undefined;

async function start({ accountsPath, sealingKey, ...options }: ProviderStart): Promise<void> {
  const sealer = createSealer(Buffer.from(sealingKey, 'base64'));
  const file = accountsPath === undefined ? undefined : openAccountsFile(accountsPath, sealer);
  save = serialize(async () => {
    if (file !== undefined && emulator !== undefined) await file.save(emulator.accounts());
  });
  emulator = await startEmulator(options, (await file?.load()) ?? [], {
    async saveChanges() {
      try {
        await save();
      } catch (error) {
        post({ kind: 'not-saved', reason: reasonOf(error) });
        throw error;
      }
    },
    sendNotice: (notice) => post({ kind: 'notice', notice }),
  });
  await save();
  post({ kind: 'ready', port: emulator.port });
}

/** Wraps `task` so that only one run is active at a time; calls made during a run share the next one. */
function serialize(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  return () => {
    if (next !== undefined) return next;
    const turn = (current ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        current = next;
        next = undefined;
        return task();
      });
    next = turn;
    return turn;
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function giveUp(error: unknown): void {
  post({ kind: 'failed', reason: reasonOf(error) });
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}

async function stop(): Promise<void> {
  await save();
  process.exit(0);
}

process.on('message', (message: ToProvider) => {
  void (message.kind === 'start' ? start(message.start) : stop()).catch(giveUp);
});
// The server died without a stop message (`kill -9`). Acknowledged changes are already saved; this saves the rest.
process.on('disconnect', () => void save().finally(() => process.exit()));
