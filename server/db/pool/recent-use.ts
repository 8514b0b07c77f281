interface Usage {
  readonly ms: number;
  /** When `ms` was measured. It decays from then on. */
  readonly measuredAt: number;
}

/** The half-life of past use, in milliseconds. */
const HALF_LIFE_MS = 1000;
/** An account with less use than this, in milliseconds, counts as idle. */
const MIN_MS = 1;
/** If there are this many accounts, idle accounts are removed before another account is added. */
const MAX_ACCOUNTS = 1000;

/** Recent use per account, in milliseconds. It decays exponentially, halving every second. */
export class RecentUse {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Usage>();

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(account: string): number {
    const usage = this.#accounts.get(account);
    return usage === undefined ? 0 : this.#decayed(usage);
  }

  add(account: string, ms: number): void {
    if (!this.#accounts.has(account) && this.#accounts.size >= MAX_ACCOUNTS) this.#removeIdle();
    this.#accounts.set(account, { ms: this.get(account) + ms, measuredAt: this.#now() });
  }

  #decayed({ ms, measuredAt }: Usage): number {
    return ms * 2 ** ((measuredAt - this.#now()) / HALF_LIFE_MS);
  }

  #removeIdle(): void {
    for (const [account, usage] of this.#accounts) if (this.#decayed(usage) < MIN_MS) this.#accounts.delete(account);
  }
}
