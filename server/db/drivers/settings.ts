/**
 * Memory for a sort or hash table of a statement. PostgreSQL hashes a subquery only if it expects the result to fit
 * into twice as much, and otherwise scans it again for every row: with this, a million device numbers fit.
 */
export const WORK_MEM = '32MB';
