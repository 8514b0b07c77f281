import { readFileSync } from 'node:fs';

/**
 * The time that the host of a virtual machine has taken from each processor since it started, in units of 10 ms; empty
 * if the system doesn't provide it.
 */
export type StealTime = readonly number[];

/**
 * The position of the stolen time in a line of `/proc/stat`: after user, nice, system, idle, iowait, irq, and softirq.
 */
const STEAL = 8;
const TICK_MS = 10;

export function readStealTime(): StealTime {
  try {
    return parseStealTime(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // Only Linux has this file.
    return [];
  }
}

export function parseStealTime(stat: string): StealTime {
  return [...stat.matchAll(/^cpu\d+ .*$/gm)].map(([line]) => Number(line.split(/ +/)[STEAL] ?? 0));
}

/**
 * Returns the milliseconds that a call may have waited for the host. A call runs on one processor at a time, so this
 * counts only the processor that lost the most.
 */
export function maxStealMs(before: StealTime, after: StealTime): number {
  return TICK_MS * Math.max(0, ...after.map((ticks, index) => ticks - (before[index] ?? ticks)));
}
