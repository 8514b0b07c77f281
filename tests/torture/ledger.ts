/** The kinds of writes. Each write contains a marker, to find it in the database and in deliveries. */
export const kinds = ['message', 'notes', 'webhook', 'tag', 'token'] as const;
export type Kind = (typeof kinds)[number];

interface Counts {
  readonly acknowledged: number;
  readonly unknown: number;
}

/** The writes sent to the servers, with their outcomes. */
export class Ledger {
  readonly #acknowledged = new Map<Kind, Set<string>>(kinds.map((kind) => [kind, new Set()]));
  readonly #unknown = new Map<Kind, number>();
  #count = 0;

  createMarker(kind: Kind): string {
    this.#count += 1;
    return `torture-${kind}-${this.#count}`;
  }

  acknowledge(kind: Kind, marker: string): void {
    this.#acknowledged.get(kind)?.add(marker);
  }

  /** Records a write that got no response because the server was killed. It may or may not have taken effect. */
  recordUnknown(kind: Kind): void {
    this.#unknown.set(kind, (this.#unknown.get(kind) ?? 0) + 1);
  }

  acknowledgedMarkers(kind: Kind): ReadonlySet<string> {
    return this.#acknowledged.get(kind) ?? new Set();
  }

  /** Returns the number of acknowledged writes of all kinds. */
  total(): number {
    return kinds.reduce((sum, kind) => sum + this.acknowledgedMarkers(kind).size, 0);
  }

  counts(): Map<Kind, Counts> {
    return new Map(
      kinds.map((kind) => [
        kind,
        { acknowledged: this.acknowledgedMarkers(kind).size, unknown: this.#unknown.get(kind) ?? 0 },
      ]),
    );
  }
}
