import { readFileSync } from 'node:fs';

/**
 * What the host of a virtual machine has taken from each processor since it started, in units of 10 ms; empty where
 * the system does not tell.
 */
export type Stolen = readonly number[];

/** Where in a line of `/proc/stat` the stolen time stands: after user, nice, system, idle, iowait, irq and softirq. */
const STEAL = 8;
const TICK_MS = 10;

export function stolenNow(): Stolen {
  try {
    return stolenIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // Only Linux has it.
    return [];
  }
}

export function stolenIn(stat: string): Stolen {
  return [...stat.matchAll(/^cpu\d+ .*$/gm)].map(([line]) => Number(line.split(/ +/)[STEAL] ?? 0));
}

/**
 * Milliseconds that a call may have waited for the host: those of the processor that lost most, since it runs on one
 * at a time.
 */
export function lostBetween(before: Stolen, after: Stolen): number {
  return TICK_MS * Math.max(0, ...after.map((ticks, index) => ticks - (before[index] ?? ticks)));
}
