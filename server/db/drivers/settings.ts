/**
 * Memory for a sort or hash table of a statement. PostgreSQL hashes a subquery only if it expects the result to fit
 * into twice as much, and otherwise scans it again for every row: with this, a million device numbers fit.
 */
export const WORK_MEM = '32MB';

/**
 * Pages that the embedded database keeps in its own memory. Far fewer than PostgreSQL's 128 MB: that memory is never
 * given back, and the system caches the files anyway, so a page that is not here costs a few microseconds.
 */
export const EMBEDDED_SHARED_BUFFERS = '32MB';
