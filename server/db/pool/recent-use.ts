interface Used {
  readonly ms: number;
  /** When `ms` was right; less of it counts with every moment since. */
  readonly at: number;
}

/** After how many milliseconds what somebody used counts half. */
const HALF_LIFE_MS = 1_000;
/** Less than that many milliseconds are forgotten. */
const MIN_MS = 1;
/** With more accounts than that, those that have nothing left are looked for before another is opened. */
const FEW_ACCOUNTS = 1_000;

/** For how long each of several accounts used something lately, in milliseconds that count half after each second. */
export class RecentUse {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Used>();

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  of(account: string): number {
    const used = this.#accounts.get(account);
    return used === undefined ? 0 : this.#left(used);
  }

  add(account: string, ms: number): void {
    if (!this.#accounts.has(account) && this.#accounts.size >= FEW_ACCOUNTS) this.#forget();
    this.#accounts.set(account, { ms: this.of(account) + ms, at: this.#now() });
  }

  #left({ ms, at }: Used): number {
    return ms * 2 ** ((at - this.#now()) / HALF_LIFE_MS);
  }

  #forget(): void {
    for (const [account, used] of this.#accounts) if (this.#left(used) < MIN_MS) this.#accounts.delete(account);
  }
}
