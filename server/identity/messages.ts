import type { EmulatorPerson } from './emulator.ts';

/** What the server tells the identity provider's process, once. */
export interface ProviderStart {
  project: string;
  people: readonly EmulatorPerson[];
  /** File that keeps the accounts between two runs; none keeps them for this run only. */
  accountsPath: string | undefined;
  /** Base64 of the key that seals that file. */
  sealingKey: string;
}

export type ToProvider = { kind: 'start'; start: ProviderStart } | { kind: 'stop' };

export type FromProvider = { kind: 'ready'; port: number } | { kind: 'failed'; reason: string };
