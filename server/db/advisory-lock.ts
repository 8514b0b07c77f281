/** The keys of the PostgreSQL advisory locks, declared together to keep them distinct. */
export const ADVISORY_LOCK = {
  migration: 4_711_000_001,
  seed: 4_711_000_002,
  claim: 4_711_000_003,
} as const;
