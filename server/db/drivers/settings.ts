/**
 * Memory for each sort or hash table in a statement. PostgreSQL hashes a subquery only if it expects the result to fit
 * into twice this amount, and otherwise scans it again for every row. A million device numbers fit.
 */
export const WORK_MEM = '32MB';

/**
 * The page cache of the embedded database. Much smaller than PostgreSQL's default of 128 MB because the process never
 * frees this memory. The operating system caches the files anyway, so a cache miss costs a few microseconds.
 */
export const EMBEDDED_SHARED_BUFFERS = '32MB';
