import type { CallRecord, RunRecord } from '#commands/run/run-record.ts';

type StoredCall = CallRecord & { readonly run: string; readonly number: number };

/** Stands in for IndexedDB and its runs, which outlive a page. */
export const storedRuns = {
  records: new Map<string, RunRecord>(),
  calls: new Map<string, StoredCall>(),
  /** Makes every write fail, as in a browser whose storage is full. */
  isFull: false,
  /** Names of the locks that pages hold. */
  locks: new Set<string>(),
};

export function resetRuns(): void {
  storedRuns.records.clear();
  storedRuns.calls.clear();
  storedRuns.locks.clear();
  storedRuns.isFull = false;
}

const write = async (change: () => void): Promise<void> => {
  if (storedRuns.isFull) throw new DOMException('full', 'QuotaExceededError');
  change();
};
const keyOf = ({ run, number }: StoredCall): string => `${run} ${String(number).padStart(6, '0')}`;
const callsOf = (id: string): readonly StoredCall[] =>
  [...storedRuns.calls]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, call]) => (call.run === id ? [call] : []));

/** Stands in for `src/run/journal/run-store.ts`. Values are copied, as IndexedDB does. */
export const fakeRunStore = {
  canStoreRuns: () => true,
  runStore: {
    add: (record: RunRecord) => write(() => void storedRuns.records.set(record.id, structuredClone(record))),
    putCall: (call: StoredCall) => write(() => void storedRuns.calls.set(keyOf(call), structuredClone(call))),
    remove: async (id: string) => {
      storedRuns.records.delete(id);
      for (const call of callsOf(id)) storedRuns.calls.delete(keyOf(call));
    },
    list: async () => [...storedRuns.records.values()].toSorted((a, b) => b.startedAt - a.startedAt),
    get: async (id: string) => {
      const record = storedRuns.records.get(id);
      return record && { record, calls: callsOf(id) };
    },
  },
};

/** Stands in for `src/run/journal/claim.ts`. */
export const fakeClaims = {
  claimRun: async (id: string) => {
    if (storedRuns.locks.has(id)) return undefined;
    storedRuns.locks.add(id);
    return () => void storedRuns.locks.delete(id);
  },
};
