// The embedded identity provider's own process, forked by provider.ts: the emulator holds some 200 MB and parses
// slowly, which must not stall the server. It lives as long as the channel to the server does.
import process from 'node:process';
import { createSealer } from '../secrets.ts';
import { accountsFile } from './accounts-file.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import type { FromProvider, ProviderStart, ToProvider } from './messages.ts';

/** Accounts are saved this long after a request that may have changed one, so that a burst is one write. */
const saveDelayMs = 100;

const say = (message: FromProvider): void => void process.send?.(message);

// Ctrl-C reaches the whole process group. The server decides when this process ends, after its own last request.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

let emulator: Emulator | undefined;
let save: () => Promise<void> = async () => undefined;

async function start({ accountsPath, sealingKey, ...what }: ProviderStart): Promise<void> {
  const sealer = createSealer(Buffer.from(sealingKey, 'base64'));
  const file = accountsPath === undefined ? undefined : accountsFile(accountsPath, sealer);
  let timer: NodeJS.Timeout | undefined;
  save = async () => {
    clearTimeout(timer);
    if (file !== undefined && emulator !== undefined) await file.save(emulator.accounts());
  };
  emulator = await startEmulator(what, (await file?.load()) ?? [], {
    changed() {
      clearTimeout(timer);
      timer = setTimeout(() => void save().catch(giveUp), saveDelayMs);
    },
    notice: (notice) => say({ kind: 'notice', notice }),
  });
  await save();
  say({ kind: 'ready', port: emulator.port });
}

function giveUp(error: unknown): void {
  say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
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
// The server is gone without a word (`kill -9`): whatever was changed is saved within `saveDelayMs` anyway.
process.on('disconnect', () => process.exit());
