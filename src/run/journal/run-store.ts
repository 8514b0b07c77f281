import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

import type { CallRecord, RunRecord } from '#commands/run/run-record.ts';

/**
 * Stores runs in IndexedDB, which every tab of this browser shares and which has room for the ids of a whole fleet. The
 * items of a run are written once, and each call adds only its own.
 *
 * Firebase uses an older version of idb. With the same version, the bundler would share it, and signing in would load
 * the console first.
 */

const DATABASE = 'quarterdeck-runs';
const VERSION = 1;

/** A call with its key: the run, and its number in the run. */
interface StoredCall extends CallRecord {
  readonly run: string;
  readonly number: number;
}

interface Schema extends DBSchema {
  runs: { key: string; value: RunRecord };
  calls: { key: [run: string, number: number]; value: StoredCall };
}

export interface StoredRun {
  readonly record: RunRecord;
  readonly calls: readonly CallRecord[];
}

/** False in an old browser, or on a page that isn't served securely. */
export const canStoreRuns = (): boolean => 'indexedDB' in globalThis && 'locks' in navigator;

let connection: Promise<IDBPDatabase<Schema>> | undefined;

function connect(): Promise<IDBPDatabase<Schema>> {
  connection ??= openDB<Schema>(DATABASE, VERSION, {
    upgrade(database) {
      database.createObjectStore('runs', { keyPath: 'id' });
      database.createObjectStore('calls', { keyPath: ['run', 'number'] });
    },
    // The browser can close the database, for example when the user clears the data of the site.
    terminated() {
      connection = undefined;
    },
  }).catch((error: unknown) => {
    connection = undefined;
    throw error;
  });
  return connection;
}

const callsOf = (run: string): IDBKeyRange => IDBKeyRange.bound([run, 0], [run, Infinity]);

export const runStore = {
  async add(record: RunRecord): Promise<void> {
    await (await connect()).put('runs', record);
  },

  /** Stores a call, replacing the call with the same number. */
  async putCall(call: StoredCall): Promise<void> {
    await (await connect()).put('calls', call);
  },

  async remove(id: string): Promise<void> {
    const transaction = (await connect()).transaction(['runs', 'calls'], 'readwrite');
    const deletions = [
      transaction.objectStore('runs').delete(id),
      transaction.objectStore('calls').delete(callsOf(id)),
    ];
    await Promise.all([...deletions, transaction.done]);
  },

  /** Returns all runs of all users, newest first. */
  async list(): Promise<readonly RunRecord[]> {
    const records = await (await connect()).getAll('runs');
    return records.toSorted((a, b) => b.startedAt - a.startedAt);
  },

  /** Returns a run with its calls, or undefined if it was removed. */
  async get(id: string): Promise<StoredRun | undefined> {
    const transaction = (await connect()).transaction(['runs', 'calls']);
    const [record, calls] = await Promise.all([
      transaction.objectStore('runs').get(id),
      transaction.objectStore('calls').getAll(callsOf(id)),
    ]);
    return record && { record, calls };
  },
};
