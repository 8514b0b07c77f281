import { execFileSync } from 'node:child_process';

const KILOBYTES_PER_MEGABYTE = 1024;

/**
 * Returns the resident memory of a process and its descendants, in MB. Shared memory is counted once per process.
 */
export function residentMemory(root: number): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = new Set([root]);
  let kilobytes = 0;
  // A process can be listed before its parent.
  for (const parent of tree) for (const [pid = 0, parentPid] of processes) if (parentPid === parent) tree.add(pid);
  for (const [pid = 0, , rss = 0] of processes) if (tree.has(pid)) kilobytes += rss;
  return kilobytes / KILOBYTES_PER_MEGABYTE;
}
