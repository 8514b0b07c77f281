import type { CallRecord, RunRecord } from '#commands/run/run-record.ts';

/**
 * Stores runs in IndexedDB, which every tab of this browser shares and which has room for the ids of a whole fleet. The
 * items of a run are written once, and each call adds only its own.
 */

const DATABASE = 'quarterdeck-runs';
const VERSION = 1;
const [RUNS, CALLS] = ['runs', 'calls'];

/** A call with its key: the run, and its number in the run. */
interface StoredCall extends CallRecord {
  readonly run: string;
  readonly number: number;
}

export interface StoredRun {
  readonly record: RunRecord;
  readonly calls: readonly CallRecord[];
}

/** False in an old browser, or on a page that isn't served securely. */
export const canStoreRuns = (): boolean => 'indexedDB' in globalThis && 'locks' in navigator;

let connection: Promise<IDBDatabase> | undefined;

function connect(): Promise<IDBDatabase> {
  connection ??= open().catch((error: unknown) => {
    connection = undefined;
    throw error;
  });
  return connection;
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(RUNS, { keyPath: 'id' });
    request.result.createObjectStore(CALLS, { keyPath: ['run', 'number'] });
  });
  return settle(request);
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new DOMException('The request failed.')));
  });
}

/** Makes changes in one transaction. Resolves when they are stored. */
async function change(act: (runs: IDBObjectStore, calls: IDBObjectStore) => void): Promise<void> {
  const transaction = (await connect()).transaction([RUNS, CALLS], 'readwrite');
  act(transaction.objectStore(RUNS), transaction.objectStore(CALLS));
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new DOMException('Not stored.')));
  });
}

const callsOf = (run: string): IDBKeyRange => IDBKeyRange.bound([run, 0], [run, Infinity]);

export const runStore = {
  add: (record: RunRecord): Promise<void> => change((runs) => void runs.put(record)),

  /** Stores a call, replacing the call with the same number. */
  putCall: (call: StoredCall): Promise<void> => change((_runs, calls) => void calls.put(call)),

  remove: (id: string): Promise<void> =>
    change((runs, calls) => {
      runs.delete(id);
      calls.delete(callsOf(id));
    }),

  /** Returns all runs of all users, newest first. */
  async list(): Promise<readonly RunRecord[]> {
    const transaction = (await connect()).transaction([RUNS], 'readonly');
    const records = (await settle(transaction.objectStore(RUNS).getAll())) as readonly RunRecord[];
    return records.toSorted((a, b) => b.startedAt - a.startedAt);
  },

  /** Returns a run with its calls, or undefined if it was removed. */
  async get(id: string): Promise<StoredRun | undefined> {
    const transaction = (await connect()).transaction([RUNS, CALLS], 'readonly');
    const [record, calls] = await Promise.all([
      settle(transaction.objectStore(RUNS).get(id)) as Promise<RunRecord | undefined>,
      settle(transaction.objectStore(CALLS).getAll(callsOf(id))) as Promise<readonly StoredCall[]>,
    ]);
    return record && { record, calls };
  },
};
