/**
 * Memory of one sort or hash table of a statement. PostgreSQL hashes a subquery only where it expects the result to fit
 * into twice as much, and otherwise goes through it anew for every row: with this, a million numbers of devices fit.
 */
export const WORK_MEM = '32MB';
