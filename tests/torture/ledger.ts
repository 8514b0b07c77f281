/** The kinds of writes. Each write carries a marker to find it again in the database and in deliveries. */
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

  marker(kind: Kind): string {
    this.#count += 1;
    return `torture-${kind}-${this.#count}`;
  }

  acknowledge(kind: Kind, marker: string): void {
    this.#acknowledged.get(kind)?.add(marker);
  }

  /** Records a write without a response, because the server was killed: it may or may not have been made. */
  leaveOpen(kind: Kind): void {
    this.#unknown.set(kind, (this.#unknown.get(kind) ?? 0) + 1);
  }

  acknowledgedMarkers(kind: Kind): ReadonlySet<string> {
    return this.#acknowledged.get(kind) ?? new Set();
  }

  /** Acknowledged writes of all kinds. */
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
