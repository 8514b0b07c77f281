// The embedded identity provider's own process, forked by provider.ts: the emulator holds some 200 MB and parses
// slowly, which must not stall the server. It lives as long as the channel to the server does.
import process from 'node:process';
import { createSealer } from '#server/base/secrets.ts';
import { accountsFile } from './emulator/accounts-file.ts';
import { type Emulator, startEmulator } from './emulator/emulator.ts';
import type { FromProvider, ProviderStart, ToProvider } from './emulator/messages.ts';

const say = (message: FromProvider): void => void process.send?.(message);

// Ctrl-C reaches the whole process group. The server decides when this process ends, after its own last request.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

let emulator: Emulator | undefined;
let save: () => Promise<void> = async () => undefined;

async function start({ accountsPath, sealingKey, ...what }: ProviderStart): Promise<void> {
  const sealer = createSealer(Buffer.from(sealingKey, 'base64'));
  const file = accountsPath === undefined ? undefined : accountsFile(accountsPath, sealer);
  save = inTurn(async () => {
    if (file !== undefined && emulator !== undefined) await file.save(emulator.accounts());
  });
  emulator = await startEmulator(what, (await file?.load()) ?? [], {
    async changed() {
      try {
        await save();
      } catch (error) {
        say({ kind: 'not-saved', reason: reasonOf(error) });
        throw error;
      }
    },
    notice: (notice) => say({ kind: 'notice', notice }),
  });
  await save();
  say({ kind: 'ready', port: emulator.port });
}

/**
 * One run of `task` at a time. Whoever asks during a run is served by the next one, together with all who ask
 * meanwhile.
 */
function inTurn(task: () => Promise<void>): () => Promise<void> {
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
  say({ kind: 'failed', reason: reasonOf(error) });
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
// The server is gone without a word (`kill -9`). Whatever was acknowledged is saved; this is for what was not yet.
process.on('disconnect', () => void save().finally(() => process.exit()));
