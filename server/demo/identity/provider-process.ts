// The process of the embedded identity provider, which provider.ts forks. The emulator uses about 200 MB and loads
// slowly, which must not stall the server. The process ends when its channel to the server closes.
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
        post({ kind: 'not-saved', reason: toMessage(error) });
        throw error;
      }
    },
    sendNotice: (notice) => post({ kind: 'notice', notice }),
  });
  await save();
  post({ kind: 'ready', port: emulator.port });
}

/** Wraps `task` so only one run is active at a time. Calls made during a run share the next run. */
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

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function giveUp(error: unknown): void {
  post({ kind: 'failed', reason: toMessage(error) });
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
